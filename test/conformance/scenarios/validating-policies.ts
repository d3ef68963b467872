import {
  configMap,
  configMaps,
  deployment,
  deployments,
  gadget,
  gadgetDefinition,
  gadgets,
  namespaces,
  pod,
  pods,
  secret,
  secrets,
  widget,
  widgetDefinition,
  widgets,
} from '../objects.ts'
import { bound, inEffect, rule, rules, unbound, withPolicy, written, type Fields } from '../policy-objects.ts'
import { scenario, topic, type Scenario, type Step } from '../scenario.ts'
import { apply, create, get, merge, remove, replace } from '../steps.ts'

const name = { show: ({ metadata }: { metadata: { name: string } }) => metadata.name }
const make = (body: unknown, path = configMaps): Step => create(path, body, name)
const demand = (expression: string, more: Fields = {}): Fields => ({ validations: [{ expression, ...more }] })
const denies = (title: string, spec: Fields, ...steps: readonly Step[]): Scenario =>
  withPolicy('Validating', title, spec, {}, ...steps)
const refused = (title: string, spec: Fields): Scenario => written('Validating', title, spec)
const hasData = "has(object.data) && 'team' in object.data"
const good = configMap('good', { team: 'a' })
const bad = configMap('bad', {})

/** An expression whose value for a ConfigMap is told by the message of the refusal. */
const tells = (title: string, messageExpression: string, body: unknown = good): Scenario =>
  denies(title, { validations: [{ expression: 'false', messageExpression }] }, make(body))
/** An expression, and what comes of it. */
const gives = (title: string, expression: string, more: Fields = {}): Scenario =>
  denies(title, { ...demand(expression), ...more }, make(good))

const verdicts: readonly Scenario[] = [
  denies('an object that meets the expression is stored', demand(hasData), make(good)),
  denies('an object that does not is refused, with the expression', demand(hasData), make(bad)),
  denies('a refusal has the message', demand(hasData, { message: ' say whose it is ' }), make(bad)),
  denies(
    'a refusal has what the messageExpression gives',
    demand(hasData, { message: 'not this', messageExpression: "'name: ' + object.metadata.name + ' '" }),
    make(bad),
  ),
  denies(
    'a messageExpression that fails leaves the message',
    demand(hasData, { message: 'this', messageExpression: "object.none + ''" }),
    make(bad),
  ),
  denies(
    'a messageExpression that gives nothing leaves the message',
    demand(hasData, { message: 'this', messageExpression: "'  '" }),
    make(bad),
  ),
  denies(
    'a messageExpression of two lines leaves the expression',
    demand(hasData, { messageExpression: "'a\\nb'" }),
    make(bad),
  ),
  denies(
    'a messageExpression of more than 5 KiB leaves the message',
    demand(hasData, { message: 'short', messageExpression: `'${'x'.repeat(5121)}'` }),
    make(bad),
  ),
  ...['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'].map((reason) =>
    reason === 'Unauthorized'
      ? refused(`the reason ${reason}`, demand(hasData, { reason }))
      : denies(`a refusal has the reason ${reason}`, demand(hasData, { reason }), make(bad)),
  ),
  denies(
    'the first of two expressions is told of',
    {
      validations: [
        { expression: hasData, message: 'first' },
        { expression: 'false', message: 'second' },
      ],
    },
    make(bad),
    make(good),
  ),
  denies(
    'a generated name',
    demand(hasData),
    create(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'gen-' } },
      { ignore: ['message', 'details.name'] },
    ),
  ),
  denies('a dry run is refused as well', demand(hasData), create(`${configMaps}?dryRun=All`, bad)),
  denies(
    'updates and patches',
    demand(hasData),
    make(good),
    merge(`${configMaps}/good`, { data: null }),
    replace(`${configMaps}/good`, configMap('good', {})),
    apply(`${configMaps}/new`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } }),
    merge(`${configMaps}/good`, { data: { more: 'b' } }, name),
  ),
  denies(
    'deletions see the old object',
    {
      ...demand("object == null && oldObject.metadata.name != 'good'"),
      matchConstraints: rules(['configmaps'], { operations: ['DELETE'] }),
    },
    make(good),
    make(configMap('other', {})),
    remove(`${configMaps}/good`),
    remove(`${configMaps}/other`, undefined, { show: () => 'gone' }),
  ),
  denies(
    'the deletion of a collection',
    {
      ...demand('request.name != "good"'),
      matchConstraints: rules(['configmaps'], { operations: ['DELETE'] }),
    },
    make(good),
    remove(configMaps, undefined, { show: ({ kind }) => kind as unknown }),
  ),
  withPolicy(
    'Validating',
    'the action Warn',
    demand(hasData, { message: 'be warned' }),
    { validationActions: ['Warn'] },
    make(bad),
    make(good),
  ),
  withPolicy('Validating', 'the action Audit', demand(hasData), { validationActions: ['Audit'] }, make(bad)),
  withPolicy(
    'Validating',
    'the actions Warn and Audit',
    demand(hasData),
    { validationActions: ['Warn', 'Audit'] },
    make(bad),
  ),
  withPolicy(
    'Validating',
    'two warnings',
    {
      validations: [
        { expression: 'false', message: 'one' },
        { expression: 'false', message: 'two' },
      ],
    },
    { validationActions: ['Warn'] },
    make(bad),
  ),
  withPolicy(
    'Validating',
    'an error is a warning as well',
    demand('object.none == 1'),
    { validationActions: ['Warn'] },
    make(bad),
  ),
  scenario(
    'B native kinds',
    'a policy without a binding',
    ...bound('Validating', demand('false')).slice(0, 1),
    ...inEffect('Validating'),
    make(good),
  ),
  scenario(
    'B native kinds',
    'a policy that changes is used as it is then',
    ...bound('Validating', demand('false', { message: 'before' })),
    ...inEffect('Validating'),
    create(configMaps, good),
    merge(
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/{ns}-validating',
      { spec: demand('true') },
      { show: () => 'done' },
    ),
    create(configMaps, good, { ...name, until: 201 }),
    ...unbound('Validating'),
  ),
]

const errors: readonly Scenario[] = [
  gives('a field that is not there', "object.none.more == 'a'"),
  gives('a field that is not there, and the failure policy Ignore', "object.none.more == 'a'", {
    failurePolicy: 'Ignore',
  }),
  denies(
    'an error after a denial',
    { validations: [{ expression: 'false', message: 'denied' }, { expression: 'object.none == 1' }] },
    make(good),
  ),
  denies(
    'a denial after an error',
    { validations: [{ expression: 'object.none == 1' }, { expression: 'false', message: 'denied' }] },
    make(good),
  ),
  gives('the old object of a new object', "oldObject.metadata.name == 'a'"),
  gives('an index that is not there', "object.metadata.name.split('o')[9] == 'a'"),
  gives('a number that is none', 'int(object.metadata.name) == 1'),
  gives('types that do not fit at run time', 'object.metadata.name == 1 || object.metadata.name > 1'),
  gives(
    'an expression that costs too much',
    'lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))'.replaceAll(
      'lists.range(1000)',
      `[${Array.from({ length: 400 }, (_, index) => index).join(',')}]`,
    ),
  ),
  denies(
    'expressions that cost too much together',
    {
      validations: Array.from({ length: 14 }, () => ({
        expression: `[${Array.from({ length: 300 }, (_, index) => index).join(',')}].all(x, [${Array.from({ length: 300 }, (_, index) => index).join(',')}].all(y, x + y >= 0))`,
      })),
    },
    make(good),
  ),
]

const values: readonly Scenario[] = [
  tells(
    'the variable request',
    "request.operation + ' ' + request.resource.resource + ' ' + request.kind.kind + ' ' + request.name + ' ' + request.requestResource.version + ' ' + string(request.dryRun)",
  ),
  tells(
    'the variable request has no subresource',
    'string(has(request.subResource)) + string(has(request.requestSubResource)) + string(has(request.options))',
  ),
  tells('the options of a request', "request.options.kind + ' ' + request.options.apiVersion"),
  tells(
    'the variable namespaceObject',
    "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == request.namespace ? 'labels ' + namespaceObject.status.phase + ' ' + namespaceObject.spec.finalizers[0] : 'other'",
  ),
  tells(
    'a new object has a uid',
    "string(has(object.metadata.uid)) + string(has(object.metadata.creationTimestamp)) + string(has(object.metadata.resourceVersion)) + string(has(object.metadata.managedFields)) + ' ' + object.apiVersion + ' ' + object.kind",
  ),
  tells(
    'a number is an integer',
    'string(type(object.metadata.name)) + string(type(object.data)) + string(size(object.data))',
  ),
  denies(
    'the numbers of a native object',
    {
      ...demand('object.spec.replicas + 1 == 3 && type(object.spec.replicas) == int'),
      matchConstraints: rules(['deployments']),
    },
    make(deployment('a', { replicas: 2 }), deployments),
    make(deployment('b', { replicas: 1 }), deployments),
  ),
  gives(
    'the authorizer, of what the user may do',
    "authorizer.group('').resource('configmaps').namespace(request.namespace).check('create').allowed()",
  ),
  gives(
    'the authorizer, of what a service account may not',
    "authorizer.serviceAccount(request.namespace, 'none').group('').resource('secrets').check('get').allowed()",
  ),
  gives(
    'the authorizer of the resource of the request',
    "authorizer.requestResource.check('create').allowed() && !authorizer.serviceAccount(request.namespace, 'none').path('/metrics').check('get').allowed()",
  ),
  gives(
    'libraries',
    "quantity('1Gi').isGreaterThan(quantity('500M')) && ip('10.0.0.1').family() == 4 && object.metadata.name.matches('^g.*d$') && url('https://a/b').getHost() == 'a' && sets.contains([1, 2], [1]) && isSemver('1.2.3')",
  ),
  denies(
    'a custom kind',
    { ...demand('object.spec.size > 3'), matchConstraints: rules(['widgets']) },
    make(widget('a', { size: 5 }), widgets),
    make(widget('b', { size: 2 }), widgets),
  ),
]

const variables: readonly Scenario[] = [
  denies(
    'variables',
    {
      variables: [
        {
          name: 'team',
          expression: "has(object.data) && 'team' in object.data ? object.data['team'] : 'none'",
        },
        { name: 'upper', expression: 'variables.team.upperAscii()' },
      ],
      validations: [{ expression: "variables.upper == 'A'", messageExpression: "'team ' + variables.upper" }],
    },
    make(good),
    make(bad),
  ),
  denies(
    'a variable that fails and is not looked at',
    {
      variables: [{ name: 'broken', expression: 'object.none.more' }],
      ...demand("object.metadata.name == 'good' || variables.broken == 1"),
    },
    make(good),
    make(bad),
  ),
  denies(
    'a variable that fails in another',
    {
      variables: [
        { name: 'broken', expression: 'object.none.more' },
        { name: 'next', expression: 'variables.broken' },
      ],
      ...demand('variables.next == 1'),
    },
    make(bad),
  ),
  refused('a variable that stands behind its use', {
    variables: [
      { name: 'first', expression: 'variables.second' },
      { name: 'second', expression: '1' },
    ],
    ...demand('variables.first == 1'),
  }),
  refused('a variable that is not declared', {
    variables: [{ name: 'a', expression: '1' }],
    ...demand('variables.b == 1'),
  }),
  refused('variables of types', {
    variables: [
      { name: 'a', expression: '1' },
      { name: 'b', expression: "['x']" },
      { name: 'c', expression: "{'k': 1.5}" },
    ],
    ...demand("variables.a == 'x' || variables.b == 1 || variables.c == 'x'"),
  }),
  refused('variables without any', demand('variables.b == 1')),
  refused('the name of a variable', {
    variables: [
      { name: 'a-b', expression: '1' },
      { name: 'in', expression: '1' },
      { expression: '1' },
      { name: 'c' },
    ],
    ...demand('true'),
  }),
]

const matching: readonly Scenario[] = [
  denies(
    'matchConditions',
    {
      ...demand('false'),
      matchConditions: [
        { name: 'named', expression: "object.metadata.name.startsWith('b')" },
        { name: 'made', expression: "request.operation == 'CREATE'" },
      ],
    },
    make(good),
    make(bad),
  ),
  denies(
    'a matchCondition that fails',
    {
      ...demand('false'),
      matchConditions: [
        { name: 'a', expression: 'object.none == 1' },
        { name: 'b', expression: 'object.other == 1' },
      ],
    },
    make(good),
  ),
  denies(
    'a matchCondition that fails, and one that is false',
    {
      ...demand('false'),
      matchConditions: [
        { name: 'a', expression: 'object.none == 1' },
        { name: 'b', expression: 'false' },
      ],
    },
    make(good),
  ),
  denies(
    'a matchCondition that fails, and the failure policy Ignore',
    {
      ...demand('false'),
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'a', expression: 'object.none == 1' }],
    },
    make(good),
  ),
  denies(
    'resources that a policy is not for',
    { ...demand('false'), matchConstraints: rules(['secrets']) },
    make(good),
    make(secret('a'), secrets),
  ),
  denies(
    'names',
    { ...demand('false'), matchConstraints: rules(['configmaps'], { resourceNames: ['bad'] }) },
    make(good),
    make(bad),
  ),
  denies(
    'excludeResourceRules',
    {
      ...demand('false'),
      matchConstraints: {
        ...rules(['configmaps']),
        excludeResourceRules: [rule(['configmaps'], { resourceNames: ['good'] })],
      },
    },
    make(good),
    make(bad),
  ),
  denies(
    'an objectSelector',
    {
      ...demand('false'),
      matchConstraints: { ...rules(['configmaps']), objectSelector: { matchLabels: { a: 'b' } } },
    },
    make(good),
    make(configMap('bad', {}, { labels: { a: 'b' } })),
  ),
  denies(
    'a namespaceSelector of other namespaces',
    {
      ...demand('false'),
      matchConstraints: { ...rules(['configmaps']), namespaceSelector: { matchLabels: { a: 'b' } } },
    },
    make(good),
  ),
  denies(
    'the scope Cluster',
    { ...demand('false'), matchConstraints: rules(['*'], { scope: 'Cluster' }) },
    make(good),
  ),
  denies(
    'the scope Namespaced',
    { ...demand('false'), matchConstraints: rules(['configmaps'], { scope: 'Namespaced' }) },
    make(good),
  ),
  withPolicy(
    'Validating',
    'the matchResources of a binding',
    demand('false'),
    { matchResources: { resourceRules: [rule(['configmaps'], { resourceNames: ['bad'] })] } },
    make(good),
    make(bad),
  ),
  withPolicy(
    'Validating',
    'the excludeResourceRules of a binding',
    demand('false'),
    { matchResources: { excludeResourceRules: [rule(['configmaps'], { resourceNames: ['good'] })] } },
    make(good),
    make(bad),
  ),
  withPolicy(
    'Validating',
    'the objectSelector of a binding',
    demand('false'),
    { matchResources: { objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } } },
    make(good),
    make(configMap('bad', {}, { labels: { a: 'b' } })),
  ),
  denies(
    'matchPolicy Equivalent',
    {
      ...demand("request.kind.version + ' ' + object.apiVersion + ' ' + request.requestKind.version == ''", {
        messageExpression:
          "request.kind.version + ' ' + object.apiVersion + ' ' + request.requestKind.version",
      }),
      matchConstraints: rules(['horizontalpodautoscalers'], {
        apiGroups: ['autoscaling'],
        apiVersions: ['v1'],
      }),
    },
    create('/apis/autoscaling/v2/~/horizontalpodautoscalers', {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
    }),
  ),
  denies(
    'matchPolicy Exact',
    {
      ...demand('false'),
      matchConstraints: {
        ...rules(['horizontalpodautoscalers'], { apiGroups: ['autoscaling'], apiVersions: ['v1'] }),
        matchPolicy: 'Exact',
      },
    },
    make(
      {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'a' },
        spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
      },
      '/apis/autoscaling/v2/~/horizontalpodautoscalers',
    ),
  ),
  denies(
    'a subresource that no rule names',
    {
      ...demand('object.metadata.name == ""'),
      matchConstraints: rules(['deployments']),
      matchConditions: [{ name: 'update', expression: "request.operation == 'UPDATE'" }],
    },
    make(deployment('a'), deployments),
    merge(`${deployments}/a/status`, { status: { replicas: 0 } }, name),
    merge(`${deployments}/a`, { metadata: { labels: { a: 'b' } } }),
  ),
  denies(
    'the subresource status',
    {
      ...demand('false', { messageExpression: "request.subResource + ' ' + request.requestSubResource" }),
      matchConstraints: rules(['deployments/status']),
    },
    make(deployment('a'), deployments),
    merge(`${deployments}/a/status`, { status: { replicas: 1 } }),
  ),
  denies(
    'the subresource scale',
    {
      ...demand('object.spec.replicas < 5', {
        messageExpression: "request.kind.kind + ' ' + request.resource.resource + ' ' + object.kind",
      }),
      matchConstraints: rules(['deployments/scale']),
    },
    make(deployment('a'), deployments),
    merge(`${deployments}/a/scale`, { spec: { replicas: 9 } }),
    merge(`${deployments}/a/scale`, { spec: { replicas: 2 } }, name),
  ),
  denies(
    'evictions',
    {
      ...demand('false', { messageExpression: "request.kind.kind + ' ' + request.subResource" }),
      matchConstraints: rules(['pods/eviction']),
    },
    make(pod('a', { automountServiceAccountToken: false }), pods),
    create(`${pods}/a/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }),
  ),
  denies(
    'connections',
    {
      ...demand('false', {
        messageExpression:
          "request.operation + ' ' + request.kind.kind + ' ' + request.subResource + ' ' + request.options.kind",
      }),
      matchConstraints: rules(['pods/exec', 'pods/proxy'], { operations: ['CONNECT'] }),
    },
    make(pod('a', { automountServiceAccountToken: false }), pods),
    get(`${pods}/a/proxy/x`),
    create(`${pods}/a/exec?command=ls&stdout=true`, undefined),
  ),
]

const clusterScoped: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'objects without a namespace',
    ...bound(
      'Validating',
      {
        ...demand('namespaceObject == null && object.metadata.name.startsWith("{ns}-good")', {
          messageExpression: 'string(has(request.namespace))',
        }),
        matchConditions: [{ name: 'own', expression: "object.metadata.name.startsWith('{ns}')" }],
        matchConstraints: rules(['gadgets']),
      },
      { matchResources: { namespaceSelector: {} } },
    ),
    ...inEffect('Validating'),
    create(gadgets, gadget('{ns}-good'), { show: () => 'made' }),
    create(gadgets, gadget('{ns}-bad')),
    ...unbound('Validating'),
    remove(`${gadgets}/{ns}-good`, undefined, { show: () => 'gone' }),
  ),
  scenario(
    'B native kinds',
    'namespaces',
    ...bound(
      'Validating',
      {
        ...demand('false', {
          messageExpression: "string(namespaceObject == null) + ' ' + request.namespace",
        }),
        matchConditions: [{ name: 'own', expression: "object.metadata.name == '{ns}-x'" }],
        matchConstraints: rules(['namespaces']),
      },
      { matchResources: { namespaceSelector: {} } },
    ),
    ...inEffect('Validating'),
    create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}-x' } }),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'policies and their bindings are exempt',
    ...bound(
      'Validating',
      {
        ...demand('false'),
        matchConditions: [{ name: 'own', expression: "object.metadata.name.startsWith('{ns}-late')" }],
        matchConstraints: rules(['*'], { apiGroups: ['admissionregistration.k8s.io'] }),
      },
      { matchResources: { namespaceSelector: {} } },
    ),
    ...inEffect('Validating'),
    create(
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: '{ns}-late' },
        spec: { matchConstraints: rules(['configmaps']), ...demand('true') },
      },
      { show: () => 'made' },
    ),
    create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: '{ns}-late' },
    }),
    create(
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
      },
      { show: ({ kind }) => kind as unknown },
    ),
    ...unbound('Validating'),
  ),
]

const kinds = { apiVersion: 'v1', kind: 'ConfigMap' }
const limit = {
  ...demand("!has(params.data) || int(params.data['most']) >= size(object.metadata.name)", {
    messageExpression: "'at most ' + params.data['most']",
  }),
  paramKind: kinds,
  matchConstraints: rules(['secrets']),
}
const param = (most: string, more: Fields = {}, called = 'limit'): Step =>
  make(configMap(called, { most }, more))
/**
 * The policy of the first scenario stays in effect: a kube-apiserver stops reading ConfigMaps once no policy has them as
 * parameters, and does not begin again.
 */
const params: readonly Scenario[] = [
  scenario(
    'B native kinds',
    'parameters by name',
    param('3'),
    ...bound('Validating', limit, { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    make(secret('abcd'), secrets),
    ...unbound('Validating').slice(1),
  ),
  scenario(
    'B native kinds',
    'parameters by name and namespace',
    param('3'),
    ...bound('Validating', limit, {
      paramRef: { name: 'limit', namespace: '{ns}', parameterNotFoundAction: 'Deny' },
    }),
    ...inEffect('Validating'),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters that are not there are demanded',
    ...bound('Validating', limit, { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters that are not there are demanded, and the failure policy Ignore',
    ...bound(
      'Validating',
      { ...limit, failurePolicy: 'Ignore' },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters that are not there are not demanded',
    ...bound('Validating', limit, { paramRef: { name: 'none', parameterNotFoundAction: 'Allow' } }),
    ...inEffect('Validating'),
    make(secret('abcdef'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters by a selector',
    param('3', { labels: { a: 'b' } }, 'one'),
    param('5', { labels: { a: 'c' } }, 'two'),
    ...bound('Validating', limit, {
      paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
    }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'two parameters by a selector warn twice',
    param('3', { labels: { a: 'b' } }, 'one'),
    param('3', { labels: { a: 'b' } }, 'two'),
    ...bound('Validating', limit, {
      validationActions: ['Warn'],
      paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
    }),
    ...inEffect('Validating'),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a selector that selects nothing',
    ...bound('Validating', limit, {
      paramRef: { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
    }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a binding without paramRef',
    ...bound('Validating', { ...limit, ...demand('params == null', { message: 'no parameters' }) }),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a paramRef that no paramKind goes with',
    ...bound('Validating', demand('false'), { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' } }),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a paramKind that is not served',
    ...bound(
      'Validating',
      {
        ...demand('true'),
        paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' },
        matchConstraints: {
          ...rules(['configmaps']),
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
        },
      },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Allow' } },
    ),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'a paramKind that is not served, and the failure policy Ignore',
    ...bound(
      'Validating',
      {
        ...demand('true'),
        failurePolicy: 'Ignore',
        paramKind: { apiVersion: 'rules.example.com/v1', kind: 'Limit' },
        matchConstraints: {
          ...rules(['configmaps']),
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
        },
      },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Allow' } },
    ),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters of a custom kind',
    make(widget('limit', { size: 3 }), widgets),
    ...bound(
      'Validating',
      {
        ...demand('size(object.metadata.name) <= params.spec.size', {
          messageExpression: "params.kind + ' ' + params.apiVersion + ' ' + params.metadata.name",
        }),
        paramKind: { apiVersion: 'conformance.example.com/v1', kind: 'Widget' },
      },
      { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(configMap('abc', {})),
    make(configMap('abcd', {})),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters without a namespace',
    create(gadgets, gadget('{ns}-limit'), { show: () => 'made' }),
    ...bound(
      'Validating',
      {
        ...demand("params.metadata.name == 'x'", { message: 'by a gadget' }),
        paramKind: { apiVersion: 'conformance.example.com/v1', kind: 'Gadget' },
      },
      { paramRef: { name: '{ns}-limit', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
    remove(`${gadgets}/{ns}-limit`, undefined, { show: () => 'gone' }),
  ),
  scenario(
    'B native kinds',
    'a namespace for parameters that have none',
    ...bound(
      'Validating',
      { ...demand('true'), paramKind: { apiVersion: 'conformance.example.com/v1', kind: 'Gadget' } },
      { paramRef: { name: 'a', namespace: '{ns}', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(good),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters with a namespace for objects without',
    ...bound(
      'Validating',
      {
        ...demand('true'),
        paramKind: kinds,
        matchConditions: [{ name: 'own', expression: "object.metadata.name.startsWith('{ns}')" }],
        matchConstraints: rules(['gadgets']),
      },
      {
        matchResources: {
          namespaceSelector: {},
          resourceRules: [rule(['gadgets'], { resourceNames: ['{ns}-a'] })],
        },
        paramRef: { name: 'a', parameterNotFoundAction: 'Deny' },
      },
    ),
    ...inEffect('Validating'),
    create(gadgets, gadget('{ns}-a')),
    ...unbound('Validating'),
  ),
  scenario(
    'B native kinds',
    'parameters in matchConditions',
    param('3'),
    ...bound(
      'Validating',
      {
        ...limit,
        ...demand('false'),
        matchConditions: [
          { name: 'long', expression: "size(object.metadata.name) > int(params.data['most'])" },
        ],
      },
      { paramRef: { name: 'limit', parameterNotFoundAction: 'Deny' } },
    ),
    ...inEffect('Validating'),
    make(secret('abc'), secrets),
    make(secret('abcd'), secrets),
    ...unbound('Validating'),
  ),
]

const annotation = (valueExpression: string): Fields => ({
  auditAnnotations: [{ key: 'note', valueExpression }],
})
const forms: readonly Scenario[] = [
  refused('an expression that does not parse', demand('object.')),
  refused('an expression of another type', demand('object.metadata.name')),
  refused('an expression that gives a text', demand("'a'")),
  refused('an expression with an unknown variable', demand('nothing == 1')),
  refused('an expression with an unknown function', demand('nothing(object)')),
  refused('an expression with types that do not fit', demand("'a' == 1")),
  refused('a field that request does not have', demand('request.object == null')),
  refused(
    'fields that namespaceObject does not have',
    demand("namespaceObject.kind == '' || namespaceObject.metadata.managedFields == 1"),
  ),
  refused('params without paramKind', demand('params == 1')),
  refused('params with paramKind', { ...demand('params == 1'), paramKind: kinds }),
  refused('a constant that makes no sense', demand("object.metadata.name.matches('[')")),
  refused('a messageExpression of another type', demand('true', { messageExpression: '1' })),
  refused(
    'a messageExpression with the authorizer',
    demand('true', { messageExpression: "authorizer.path('/').check('get').reason()" }),
  ),
  refused(
    'a messageExpression that gives any value',
    demand('true', { messageExpression: 'object.metadata.name' }),
  ),
  refused('a messageExpression that does not parse', demand('true', { messageExpression: 'a b' })),
  refused('an auditAnnotation of another type', annotation('1')),
  refused('an auditAnnotation that gives any value', annotation('object.metadata.name')),
  refused('an auditAnnotation that gives a text or null', annotation("has(object.data) ? 'a' : null")),
  refused('an auditAnnotation that gives a text', annotation("'a'")),
  refused('a matchCondition of another type', {
    ...demand('true'),
    matchConditions: [
      { name: 'a', expression: ' 1 ' },
      { name: 'b', expression: 'variables.a == 1' },
    ],
  }),
  refused('the names of matchConditions', {
    ...demand('true'),
    matchConditions: [
      { name: 'a b', expression: 'true' },
      { name: 'c', expression: 'true' },
      { name: 'c', expression: 'true' },
      { name: 'd', expression: ' ' },
    ],
  }),
  refused('an expression of two lines', demand('true ||\n false')),
  refused('an expression that makes an object', demand('Object{a: 1} == null')),
  refused('all that is wrong with a validation', {
    validations: [{ expression: ' ', messageExpression: ' ', message: ' ', reason: 'None' }],
  }),
  refused('more than 64 matchConditions', {
    ...demand('true'),
    matchConditions: Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: 'true' })),
  }),
  denies(
    'an auditAnnotation that fails',
    { ...demand('true'), auditAnnotations: [{ key: 'note', valueExpression: "object.none + ''" }] },
    make(good),
  ),
  denies(
    'an auditAnnotation that fails, and the failure policy Ignore',
    {
      ...demand('true'),
      failurePolicy: 'Ignore',
      auditAnnotations: [{ key: 'note', valueExpression: "object.none + ''" }],
    },
    make(good),
  ),
]

/** ValidatingAdmissionPolicies: what they refuse, and what is refused of them. */
export const validatingPolicyTopic = topic(
  'validating-policies',
  [...verdicts, ...errors, ...values, ...variables, ...matching, ...clusterScoped, ...params, ...forms],
  { definitions: [widgetDefinition, gadgetDefinition] },
)
