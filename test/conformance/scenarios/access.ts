import { ANONYMOUS } from '../anonymous.ts'
import { configMap, configMaps, pods, secrets } from '../objects.ts'
import { scenario, topic } from '../scenario.ts'
import { apply, create, get, merge, remove } from '../steps.ts'

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const jane = { headers: { 'impersonate-user': 'jane' } }
const rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }
const role = (name: string, rules: object[] = [rule]) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name },
  rules,
})
const binding = (name: string, subjects: object[], roleRef: object) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name },
  subjects,
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
})
const user = (name: string) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name })
const account = (name: string) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } })
const review = (kind: string, spec: object) => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec })
const reviews = '/apis/authorization.k8s.io/v1'
const byToken = { headers: { authorization: 'Bearer {token.status.token}' } }
const token = (spec: object = {}) => ({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec })

/** Grants that a server has noticed: it may take a moment. */
const granted = (path: string, headers: object) =>
  get(path, { ...headers, until: 200, show: ({ kind }) => kind })

/** The users of the requests, and their rights. */
export const access = topic('access', [
  scenario(
    'B access',
    'is refused to who has no rights',
    get(configMaps, jane),
    create(configMaps, configMap('a'), jane),
    get(`${configMaps}/a`, jane),
    remove(`${configMaps}/a`, undefined, jane),
    get('/api/v1/nodes', jane),
    get('/apis/apps/v1/~/deployments/a/scale', jane),
    get('/metrics', jane),
    get('/api/v1/~/nothings', jane),
  ),
  scenario(
    'B access',
    'of nobody',
    get(configMaps, { headers: { authorization: ANONYMOUS } }),
    get('/healthz', { headers: { authorization: ANONYMOUS } }),
    get('/version', { headers: { authorization: ANONYMOUS }, show: ({ major }) => major }),
    get('/api', { headers: { authorization: ANONYMOUS } }),
    get(configMaps, { headers: { authorization: 'Bearer nonsense' } }),
  ),
  scenario(
    'B access',
    'of who has a role',
    create(`${rbac}/~/roles`, role('reader')),
    create(`${rbac}/~/rolebindings`, binding('jane', [user('{ns}-jane')], { kind: 'Role', name: 'reader' })),
    granted(configMaps, { headers: { 'impersonate-user': '{ns}-jane' } }),
    get(secrets, { headers: { 'impersonate-user': '{ns}-jane' } }),
    create(configMaps, configMap('a'), { headers: { 'impersonate-user': '{ns}-jane' } }),
    get('/api/v1/configmaps', { headers: { 'impersonate-user': '{ns}-jane' } }),
  ),
  scenario(
    'B access',
    'by names, groups and subresources',
    create(
      `${rbac}/~/roles`,
      role('some', [
        { apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['get', 'update'] },
        { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
      ]),
    ),
    create(
      `${rbac}/~/rolebindings`,
      binding('g', [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: '{ns}-ops' }], {
        kind: 'Role',
        name: 'some',
      }),
    ),
    create(configMaps, configMap('mine')),
    create(configMaps, configMap('yours')),
    granted(`${configMaps}/mine`, { headers: { 'impersonate-user': 'x', 'impersonate-group': '{ns}-ops' } }),
    get(`${configMaps}/yours`, { headers: { 'impersonate-user': 'x', 'impersonate-group': '{ns}-ops' } }),
    get(configMaps, { headers: { 'impersonate-user': 'x', 'impersonate-group': '{ns}-ops' } }),
    get(`${pods}/none/log`, { headers: { 'impersonate-user': 'x', 'impersonate-group': '{ns}-ops' } }),
  ),
  scenario(
    'B access',
    'cannot be given by who has it not',
    create(
      `${rbac}/~/roles`,
      role('maker', [
        { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['*'] },
      ]),
    ),
    create(`${rbac}/~/rolebindings`, binding('jane', [user('{ns}-jane')], { kind: 'Role', name: 'maker' })),
    granted(`${rbac}/~/roles`, { headers: { 'impersonate-user': '{ns}-jane' } }),
    create(`${rbac}/~/roles`, role('more'), { headers: { 'impersonate-user': '{ns}-jane' } }),
    create(
      `${rbac}/~/rolebindings`,
      binding('self', [user('{ns}-jane')], { kind: 'ClusterRole', name: 'cluster-admin' }),
      { headers: { 'impersonate-user': '{ns}-jane' }, ignore: ['message'] },
    ),
  ),
  scenario(
    'B access',
    'roles and bindings that make no sense',
    create(`${rbac}/~/roles`, role('a', [{ apiGroups: [''], resources: ['pods'] }])),
    create(`${rbac}/~/roles`, role('a', [{ verbs: ['get'], nonResourceURLs: ['/x'] }])),
    create(
      `${rbac}/~/rolebindings`,
      binding('a', [{ kind: 'Robot', name: 'x' }], { kind: 'Role', name: 'none' }),
    ),
    create(`${rbac}/~/rolebindings`, binding('a', [user('x')], { kind: 'Pod', name: 'none' })),
    create(`${rbac}/~/rolebindings`, binding('a', [user('x')], { kind: 'Role', name: 'none' })),
    merge(`${rbac}/~/rolebindings/a`, { roleRef: { name: 'other' } }),
  ),
  scenario(
    'B access',
    'by the token of an account',
    create('/api/v1/~/serviceaccounts', account('robot')),
    create('/api/v1/~/serviceaccounts/robot/token', token(), { as: 'token' }),
    get(configMaps, byToken),
    create(`${rbac}/~/roles`, role('reader')),
    create(
      `${rbac}/~/rolebindings`,
      binding('robot', [{ kind: 'ServiceAccount', name: 'robot', namespace: '{ns}' }], {
        kind: 'Role',
        name: 'reader',
      }),
    ),
    granted(configMaps, byToken),
    create(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      {
        ...byToken,
        ignore: ['status.userInfo.extra'],
      },
    ),
  ),
  scenario(
    'B access',
    'tokens that are refused',
    create('/api/v1/~/serviceaccounts', account('robot')),
    create('/api/v1/~/serviceaccounts/robot/token', token({ expirationSeconds: 5 })),
    create('/api/v1/~/serviceaccounts/none/token', token()),
    create(
      '/api/v1/~/serviceaccounts/robot/token',
      token({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } }),
    ),
    get('/api/v1/~/serviceaccounts/robot/token'),
  ),
  scenario(
    'B access',
    'of an account that was deleted',
    create('/api/v1/~/serviceaccounts', account('robot')),
    create('/api/v1/~/serviceaccounts/robot/token', token(), { as: 'token' }),
    remove('/api/v1/~/serviceaccounts/robot'),
    get(configMaps, { ...byToken, until: 401 }),
  ),
  scenario(
    'B access',
    'tokens are reviewed',
    create('/api/v1/~/serviceaccounts', account('robot')),
    create('/api/v1/~/serviceaccounts/robot/token', token({ audiences: ['me'] }), { as: 'token' }),
    create(
      '/apis/authentication.k8s.io/v1/tokenreviews',
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: '{token.status.token}', audiences: ['me', 'you'] },
      },
      { ignore: ['status.user.extra'] },
    ),
    create('/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: 'nonsense' },
    }),
    get(configMaps, byToken),
  ),
  scenario(
    'B access',
    'is reviewed for oneself',
    create(
      `${reviews}/selfsubjectaccessreviews`,
      review('SelfSubjectAccessReview', {
        resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' },
      }),
    ),
    create(
      `${reviews}/selfsubjectaccessreviews`,
      review('SelfSubjectAccessReview', {
        resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' },
      }),
      jane,
    ),
    create(`${reviews}/selfsubjectaccessreviews`, review('SelfSubjectAccessReview', {})),
    create(
      `${reviews}/selfsubjectaccessreviews`,
      review('SelfSubjectAccessReview', { nonResourceAttributes: { path: '/healthz', verb: 'get' } }),
      // Which of two bindings is named is chance.
      { ...jane, ignore: ['status.reason'] },
    ),
    create(`${reviews}/selfsubjectrulesreviews`, review('SelfSubjectRulesReview', { namespace: '{ns}' }), {
      ...jane,
      show: ({ status }) => status.resourceRules.map((rule: any) => rule.resources).toSorted(),
    }),
  ),
  scenario(
    'B access',
    'is reviewed for others',
    create(
      `${reviews}/subjectaccessreviews`,
      review('SubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { namespace: '{ns}', verb: 'list', resource: 'pods' },
      }),
    ),
    create(
      `${reviews}/subjectaccessreviews`,
      review('SubjectAccessReview', {
        user: 'root',
        groups: ['system:masters'],
        resourceAttributes: { verb: '*', resource: '*', group: '*' },
      }),
    ),
    create(
      `${reviews}/subjectaccessreviews`,
      review('SubjectAccessReview', { resourceAttributes: { verb: 'list', resource: 'pods' } }),
    ),
    create(
      `${reviews}/~/localsubjectaccessreviews`,
      review('LocalSubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { namespace: '{ns}', verb: 'list', resource: 'pods' },
      }),
    ),
    create(
      `${reviews}/~/localsubjectaccessreviews`,
      review('LocalSubjectAccessReview', {
        user: 'jane',
        resourceAttributes: { namespace: 'other', verb: 'list', resource: 'pods' },
      }),
    ),
  ),
  scenario(
    'B access',
    'of who says to be another',
    create(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      {
        headers: {
          'impersonate-user': 'jane',
          'impersonate-group': 'ops',
          'impersonate-uid': 'u1',
          'impersonate-extra-scopes': 'a',
        },
      },
    ),
    create(
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      {
        headers: { 'impersonate-user': 'system:serviceaccount:{ns}:robot' },
      },
    ),
    get(configMaps, { headers: { 'impersonate-group': 'ops' } }),
    get(configMaps, { headers: { 'impersonate-user': '' } }),
  ),
  scenario(
    'B access',
    'to apply needs the right to patch, and to create what is new',
    create(
      `${rbac}/~/roles`,
      role('patcher', [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'patch'] }]),
    ),
    create(`${rbac}/~/rolebindings`, binding('jane', [user('{ns}-jane')], { kind: 'Role', name: 'patcher' })),
    create(configMaps, configMap('old')),
    granted(`${configMaps}/old`, { headers: { 'impersonate-user': '{ns}-jane' } }),
    apply(`${configMaps}/old`, configMap('old', { x: '1' }), {
      headers: { 'impersonate-user': '{ns}-jane' },
    }),
    apply(`${configMaps}/new`, configMap('new', { x: '1' }), {
      headers: { 'impersonate-user': '{ns}-jane' },
    }),
  ),
  scenario(
    'B access',
    'the roles that every server has',
    get(`${rbac}/clusterroles/cluster-admin`, {
      show: ({ rules, metadata }) => [rules, metadata.labels, metadata.annotations],
    }),
    get(`${rbac}/clusterrolebindings/cluster-admin`, {
      show: ({ subjects, roleRef }) => [subjects, roleRef],
    }),
    get(`${rbac}/clusterroles/system:discovery`, { show: ({ rules }) => rules }),
    get(`${rbac}/clusterroles`, {
      show: ({ items }) =>
        items
          .map(({ metadata }: any) => metadata.name)
          .filter(
            (name: string) =>
              !/^(conf|t-)/.test(name) && /^(admin|edit|view|cluster-admin|system:)/.test(name),
          ),
    }),
  ),
])
