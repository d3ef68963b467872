import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { transcript, type Step } from './transcript.ts'

const as = (user: string, more: Record<string, string> = {}) => ({
  headers: { 'impersonate-user': user, ...more },
})
/** Has only the rights that every user has. */
const eve = as('access-eve')
/** May write roles and bindings in the test's namespace, and holds a few other rights there. */
const rita = as('access-rita')

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const rbac = (kind: string, name: string, more: object) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { name },
  ...more,
})
const rule = (apiGroups: string[], resources: string[], verbs: string[], resourceNames?: string[]) => ({
  apiGroups,
  resources,
  verbs,
  ...(resourceNames && { resourceNames }),
})
const role = (name: string, ...rules: object[]) => rbac('Role', name, { rules })
const binding = (name: string, to: string, roleRef: object) =>
  rbac('RoleBinding', name, {
    subjects: [{ kind: 'User', name: to }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
  })
const review = (spec: object, metadata?: object) => ({ ...(metadata && { metadata }), spec })
const AUTHORIZATION = '/apis/authorization.k8s.io/v1'
const AUTHENTICATION = '/apis/authentication.k8s.io/v1'
const pods = { verb: 'get', resource: 'pods' }
const tokens = '/api/v1/~/serviceaccounts/robot/token'
const CSRS = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
const csr = (request: string, signerName: string, more: object = {}) => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'access-csr' },
  spec: { request: btoa(request), signerName, usages: ['client auth'], ...more },
})
/** Requests for a certificate of jane, in the group `ops` and in that of the masters, made once by OpenSSL. */
const PLAIN = `-----BEGIN CERTIFICATE REQUEST-----
MIHWMH8CAQAwHTEMMAoGA1UECgwDb3BzMQ0wCwYDVQQDDARqYW5lMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEeL8fJ/py1sm0EyXAyfkUbqiKY6dy+PEfQhlEjFVj
aI8fjRduTbyg1aG98cdqi9w7uXdoZKoVtiEV91oj5ePcwKAAMAoGCCqGSM49BAMC
A0cAMEQCIBeKDqbAz2gCeHQr0CMcomh/weCiovPeLWK1XuPv2DzAAiAtbALZF83p
AnxDNpIHdKkC9kLKVyB3fuYnMPpf8xQcBQ==
-----END CERTIFICATE REQUEST-----
`
const MASTERS = `-----BEGIN CERTIFICATE REQUEST-----
MIHjMIGKAgEAMCgxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQ0wCwYDVQQDDARq
YW5lMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEI1DVmb6m1ntvAV3LfXUaY4II
iEc7V0FhcZcayMwqsab8OuEao+EC2qeXFhlGmCnTDZZQGFTxRrIChSTYX8NxtKAA
MAoGCCqGSM49BAMCA0gAMEUCICq+rkidLmvVBPcDAjNp/Y6CkAEepqx3udb8LOIv
t58JAiEA8TWczsXJyeh21vr+xvtbmSkQnqlbd8CyJA1fzpWlz8A=
-----END CERTIFICATE REQUEST-----
`

const conversations: Record<string, Step[]> = {
  'access-refused': [
    { say: 'a list in a namespace', method: 'GET', path: '/api/v1/~/pods', ...eve },
    { say: 'a list in the cluster', method: 'GET', path: '/api/v1/pods', ...eve },
    { say: 'a watch', method: 'GET', path: '/apis/apps/v1/~/deployments?watch=true', ...eve },
    { say: 'an object', method: 'GET', path: '/api/v1/~/pods/web', ...eve },
    { say: 'a subresource', method: 'GET', path: '/api/v1/~/pods/web/log', ...eve },
    { say: 'a scale', method: 'PUT', path: '/apis/apps/v1/~/deployments/web/scale', body: {}, ...eve },
    { say: 'a namespace', method: 'GET', path: '/api/v1/~', ...eve },
    { say: 'a namespace’s status', method: 'PUT', path: '/api/v1/~/status', body: {}, ...eve },
    { say: 'all namespaces', method: 'GET', path: '/api/v1/namespaces', ...eve },
    {
      say: 'one by its name',
      method: 'GET',
      path: '/api/v1/~/secrets?fieldSelector=metadata.name%3Da',
      ...eve,
    },
    { say: 'a creation', method: 'POST', path: '/api/v1/~/pods', body: {}, ...eve },
    { say: 'a patch', method: 'PATCH', path: '/api/v1/~/pods/web', body: {}, ...eve },
    { say: 'a deletion of many', method: 'DELETE', path: '/api/v1/~/pods', ...eve },
    { say: 'a node', method: 'DELETE', path: '/api/v1/nodes/n', ...eve },
    { say: 'a kind that is not served', method: 'GET', path: '/apis/none.example.com/v1/things', ...eve },
    { say: 'a path', method: 'GET', path: '/metrics', ...eve },
    { say: 'a path that looks like HTML', method: 'GET', path: '/a<b>&c', ...eve },
    { say: 'the keys of tokens', method: 'GET', path: '/openid/v1/jwks', ...eve },
    { say: 'a path, to nobody in particular', method: 'GET', path: '/api', ...as('system:anonymous') },
    { say: 'pods, to nobody in particular', method: 'GET', path: '/api/v1/pods', ...as('system:anonymous') },
  ],
  'access-allowed': [
    { say: 'health, to anybody', method: 'GET', path: '/readyz', ...as('system:anonymous') },
    { say: 'who am I', method: 'POST', path: `${AUTHENTICATION}/selfsubjectreviews`, body: {}, ...eve },
    {
      say: 'who is a ServiceAccount',
      method: 'POST',
      path: `${AUTHENTICATION}/selfsubjectreviews`,
      body: {},
      ...as('system:serviceaccount:a:b', {
        'impersonate-uid': '77',
        'impersonate-extra-example.com%2fteam': 'blue',
      }),
    },
    {
      say: 'who is anonymous',
      method: 'POST',
      path: `${AUTHENTICATION}/selfsubjectreviews`,
      body: {},
      ...as('system:anonymous', { 'impersonate-group': 'system:authenticated' }),
    },
  ],
  'access-as-another': [
    { say: 'a group alone', method: 'GET', path: '/api', headers: { 'impersonate-group': 'a' } },
    {
      say: 'more than a user’s name alone',
      method: 'GET',
      path: '/api',
      headers: { 'impersonate-uid': '7', 'impersonate-extra-scopes': 'a' },
    },
  ],
  'access-reviews': [
    {
      say: 'of what eve may',
      method: 'POST',
      path: `${AUTHORIZATION}/subjectaccessreviews`,
      body: review({ user: 'access-eve', resourceAttributes: pods }),
    },
    {
      say: 'of what a master may',
      method: 'POST',
      path: `${AUTHORIZATION}/subjectaccessreviews`,
      body: review({ groups: ['system:masters'], resourceAttributes: pods }),
    },
    {
      say: 'of a path',
      method: 'POST',
      path: `${AUTHORIZATION}/subjectaccessreviews`,
      body: review({
        user: 'a',
        groups: ['system:unauthenticated'],
        nonResourceAttributes: { path: '/version', verb: 'get' },
      }),
    },
    {
      say: 'of nothing',
      method: 'POST',
      path: `${AUTHORIZATION}/subjectaccessreviews`,
      body: review({}, { name: 'x', labels: { a: 'b' } }),
    },
    {
      say: 'of everything',
      method: 'POST',
      path: `${AUTHORIZATION}/subjectaccessreviews`,
      body: review({
        user: 'a',
        resourceAttributes: { ...pods, labelSelector: {} },
        nonResourceAttributes: { path: '/x', verb: 'get' },
      }),
    },
    {
      say: 'of another kind',
      method: 'POST',
      path: `${AUTHORIZATION}/subjectaccessreviews`,
      body: { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1' },
      reasonOnly: true,
    },
    { say: 'to be listed', method: 'GET', path: `${AUTHORIZATION}/subjectaccessreviews` },
    { say: 'to be read', method: 'GET', path: `${AUTHORIZATION}/subjectaccessreviews/x` },
    {
      say: 'in a namespace',
      method: 'POST',
      path: `${AUTHORIZATION}/~/localsubjectaccessreviews`,
      body: review({ user: 'access-eve', resourceAttributes: { ...pods, namespace: '~' } }),
    },
    {
      say: 'in another namespace',
      method: 'POST',
      path: `${AUTHORIZATION}/~/localsubjectaccessreviews`,
      body: review({ user: 'access-eve', resourceAttributes: { ...pods, namespace: 'other' } }),
    },
    {
      say: 'of a path in a namespace',
      method: 'POST',
      path: `${AUTHORIZATION}/~/localsubjectaccessreviews`,
      body: review({ user: 'access-eve', nonResourceAttributes: { path: '/x', verb: 'get' } }),
    },
    {
      say: 'of oneself',
      method: 'POST',
      path: `${AUTHORIZATION}/selfsubjectaccessreviews`,
      body: review({ resourceAttributes: pods }),
      ...eve,
    },
    {
      say: 'of oneself, who is a master',
      method: 'POST',
      path: `${AUTHORIZATION}/selfsubjectaccessreviews?dryRun=All`,
      body: review({ nonResourceAttributes: { path: '/metrics', verb: 'get' } }),
    },
    {
      say: 'of one’s rules in no namespace',
      method: 'POST',
      path: `${AUTHORIZATION}/selfsubjectrulesreviews`,
      body: review({}),
      ...eve,
    },
    {
      say: 'of a token that is none',
      method: 'POST',
      path: `${AUTHENTICATION}/tokenreviews`,
      body: review({ token: 'abc' }),
    },
    { say: 'of no token', method: 'POST', path: `${AUTHENTICATION}/tokenreviews`, body: review({}) },
  ],
  'access-tokens': [
    {
      say: 'an account',
      method: 'POST',
      path: '/api/v1/~/serviceaccounts',
      body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } },
    },
    {
      say: 'a secret',
      method: 'POST',
      path: '/api/v1/~/secrets',
      body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' } },
    },
    { say: 'a token', method: 'POST', path: tokens, body: {} },
    {
      say: 'a token for others, bound',
      method: 'POST',
      path: tokens,
      body: {
        spec: {
          audiences: ['a', 'b'],
          expirationSeconds: 600,
          boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'key' },
        },
      },
    },
    {
      say: 'a token of nobody',
      method: 'POST',
      path: '/api/v1/~/serviceaccounts/none/token',
      body: {},
    },
    { say: 'too short', method: 'POST', path: tokens, body: { spec: { expirationSeconds: 599 } } },
    { say: 'too long', method: 'POST', path: tokens, body: { spec: { expirationSeconds: 4294967297 } } },
    {
      say: 'no number',
      method: 'POST',
      path: tokens,
      body: { spec: { expirationSeconds: 'x' } },
      reasonOnly: true,
    },
    {
      say: 'bound to what is not there',
      method: 'POST',
      path: tokens,
      body: { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } } },
    },
    {
      say: 'bound to another one',
      method: 'POST',
      path: tokens,
      body: { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'key', uid: 'x' } } },
    },
    {
      say: 'bound to what it cannot be',
      method: 'POST',
      path: tokens,
      body: { spec: { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'web' } } },
    },
    { say: 'of another name', method: 'POST', path: tokens, body: { metadata: { name: 'x' } } },
    { say: 'of another namespace', method: 'POST', path: tokens, body: { metadata: { namespace: 'x' } } },
    { say: 'to be read', method: 'GET', path: tokens },
  ],
  'access-by-missing-roles': [
    { say: 'a list', method: 'GET', path: '/api/v1/~/pods', ...as('access-ghost') },
    {
      say: 'a review',
      method: 'POST',
      path: `${AUTHORIZATION}/subjectaccessreviews`,
      body: review({ user: 'access-ghost', resourceAttributes: { ...pods, namespace: '~' } }),
    },
    {
      say: 'a review of the rules',
      method: 'POST',
      path: `${AUTHORIZATION}/selfsubjectrulesreviews`,
      body: review({ namespace: '~' }),
      ...as('access-ghost', { 'impersonate-group': 'system:unauthenticated' }),
    },
  ],
  'access-certificate-requests': [
    { say: 'one that another test left', method: 'DELETE', path: `${CSRS}/access-csr`, reasonOnly: true },
    {
      say: 'by jane, whatever it says',
      method: 'POST',
      path: CSRS,
      body: csr(PLAIN, 'example.com/mine', {
        username: 'root',
        groups: ['x'],
        uid: '1',
        extra: { a: ['b'] },
      }),
      ...as('access-jane', { 'impersonate-group': 'system:masters', 'impersonate-uid': '7' }),
    },
    { say: 'that is no longer wanted', method: 'DELETE', path: `${CSRS}/access-csr` },
    {
      say: 'to become a master',
      method: 'POST',
      path: CSRS,
      body: csr(MASTERS, 'kubernetes.io/kube-apiserver-client'),
    },
    {
      say: 'to become a master of something else',
      method: 'POST',
      path: `${CSRS}?dryRun=All`,
      body: csr(MASTERS, 'example.com/mine'),
      reasonOnly: true,
    },
  ],
  'access-escalation': [
    {
      say: 'rights that she holds',
      method: 'POST',
      path: `${RBAC}/~/roles`,
      body: role('held', rule([''], ['configmaps'], ['get'])),
      ...rita,
    },
    {
      say: 'rights of which she holds some',
      method: 'POST',
      path: `${RBAC}/~/roles`,
      body: role(
        'more',
        rule([''], ['configmaps', 'secrets'], ['get', 'list']),
        rule(['', 'apps'], ['pods/log', 'deployments/scale'], ['get'], ['a', 'b']),
        rule([''], ['secrets'], ['get', 'watch'], ['known', 'unknown']),
        rule(['example.com'], ['*/status', 'things/status'], ['update']),
      ),
      ...rita,
    },
    {
      say: 'her role with more in it',
      method: 'PATCH',
      path: `${RBAC}/~/roles/held`,
      body: { rules: [rule(['*'], ['*'], ['*'])] },
      ...rita,
    },
    {
      say: 'her role with a label',
      method: 'PATCH',
      path: `${RBAC}/~/roles/held`,
      body: { metadata: { labels: { a: 'b' } } },
      ...rita,
    },
    {
      say: 'a role by PUT, which makes it',
      method: 'PUT',
      path: `${RBAC}/~/roles/put`,
      body: role('put', rule([''], ['secrets'], ['get'])),
      ...rita,
    },
    {
      say: 'a binding to what she holds',
      method: 'POST',
      path: `${RBAC}/~/rolebindings`,
      body: binding('held', 'access-eve', { kind: 'Role', name: 'held' }),
      notYet: 404,
      ...rita,
    },
    {
      say: 'a binding to more',
      method: 'POST',
      path: `${RBAC}/~/rolebindings`,
      body: binding('more', 'access-eve', { kind: 'ClusterRole', name: 'system:basic-user' }),
      ...rita,
    },
    {
      say: 'a binding to everything',
      method: 'POST',
      path: `${RBAC}/~/rolebindings`,
      body: binding('all', 'access-eve', { kind: 'ClusterRole', name: 'cluster-admin' }),
      ...rita,
    },
    {
      say: 'a binding to no role',
      method: 'POST',
      path: `${RBAC}/~/rolebindings`,
      body: binding('none', 'access-eve', { kind: 'Role', name: 'missing' }),
      ...rita,
    },
    {
      say: 'a binding to no ClusterRole',
      method: 'POST',
      path: `${RBAC}/~/rolebindings`,
      body: binding('none', 'access-eve', { kind: 'ClusterRole', name: 'missing' }),
      ...rita,
    },
    {
      say: 'a binding that she may make though she holds nothing of it',
      method: 'POST',
      path: `${RBAC}/~/rolebindings`,
      body: binding('bound', 'access-eve', { kind: 'ClusterRole', name: 'system:node' }),
      ...rita,
    },
    {
      say: 'another role for a binding',
      method: 'PATCH',
      path: `${RBAC}/~/rolebindings/held`,
      body: { roleRef: { name: 'other' } },
    },
  ],
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const rules = [
    rule(['rbac.authorization.k8s.io'], ['roles', 'rolebindings'], ['create', 'update', 'patch', 'get']),
    rule(['rbac.authorization.k8s.io'], ['clusterroles'], ['bind'], ['system:node']),
    rule([''], ['configmaps'], ['get', 'list']),
    rule([''], ['secrets'], ['get'], ['known']),
    rule(['example.com'], ['*/status'], ['update']),
  ]
  const path = `${RBAC}/namespaces/${server.namespace}`
  await server.call('POST', `${path}/roles`, { body: role('rita', ...rules) })
  await server.call('POST', `${path}/rolebindings`, {
    body: binding('rita', 'access-rita', { kind: 'Role', name: 'rita' }),
  })
  await server.call('POST', `${path}/rolebindings`, {
    body: binding('ghost', 'access-ghost', { kind: 'Role', name: 'missing' }),
  })
  const ghost = review({ user: 'access-ghost', resourceAttributes: { ...pods, namespace: server.namespace } })
  await server.until('the other binding’s effect', async () => {
    const answer = await server.call('POST', `${AUTHORIZATION}/subjectaccessreviews`, { body: ghost })
    return answer.body.status.reason
  })
  const resourceAttributes = { verb: 'get', resource: 'configmaps', namespace: server.namespace }
  const body = review({ user: 'access-rita', resourceAttributes })
  await server.until('the binding’s effect', async () => {
    const answer = await server.call('POST', `${AUTHORIZATION}/subjectaccessreviews`, { body })
    return answer.body.status.allowed
  })
})
afterAll(() => server?.close())

test.for(Object.entries(conversations))('%s is answered as Kubernetes does', async ([title, steps]) => {
  const file = new URL(`recorded/${title}.json`, import.meta.url)
  await expect(await transcript(server, steps)).toMatchFileSnapshot(file.pathname)
})
