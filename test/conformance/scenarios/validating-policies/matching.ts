import {
  configMap,
  configMaps,
  deployment,
  deployments,
  gadget,
  gadgets,
  namespaces,
  pod,
  pods,
  secret,
  secrets,
} from '../../objects.ts'
import { bound, inEffect, rule, rules, unbound, withPolicy } from '../../policy-objects.ts'
import { scenario, type Scenario } from '../../scenario.ts'
import { create, get, merge, remove } from '../../steps.ts'
import { bad, demand, denies, good, make, name } from './policy-steps.ts'

const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a' },
  spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
}

export const matching: readonly Scenario[] = [
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
    'a namespaceSelector of this namespace',
    {
      ...demand('false'),
      matchConstraints: {
        ...rules(['configmaps']),
        namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'Exists' }] },
      },
    },
    make(good),
  ),
  denies(
    'the labels of the old object',
    {
      ...demand('oldObject == null'),
      matchConstraints: { ...rules(['configmaps']), objectSelector: { matchLabels: { a: 'b' } } },
    },
    make(configMap('bad', {}, { labels: { a: 'b' } })),
    merge(`${configMaps}/bad`, { metadata: { labels: { a: 'c' } } }),
    make(good),
    merge(`${configMaps}/good`, { metadata: { labels: { a: 'b' } } }),
    merge(`${configMaps}/good`, { data: { more: 'c' } }, name),
  ),
  denies(
    'another group',
    { ...demand('false'), matchConstraints: rules(['configmaps'], { apiGroups: ['apps'] }) },
    make(good),
  ),
  denies(
    'all resources and subresources of a group',
    {
      ...demand('false', { messageExpression: "request.resource.resource + ' ' + request.subResource" }),
      matchConstraints: rules(['*/*'], { apiGroups: ['apps'], operations: ['UPDATE'] }),
    },
    make(deployment('a'), deployments),
    merge(`${deployments}/a/scale`, { spec: { replicas: 2 } }),
    make(good),
  ),
  denies(
    'one subresource of all resources',
    {
      ...demand('false'),
      matchConstraints: rules(['*/scale'], { operations: ['*'] }),
    },
    make(deployment('a'), deployments),
    merge(`${deployments}/a/scale`, { spec: { replicas: 2 } }),
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
  withPolicy(
    'Validating',
    'matchPolicy Exact of a binding',
    {
      ...demand('false'),
      matchConstraints: rules(['horizontalpodautoscalers'], { apiGroups: ['autoscaling'] }),
    },
    {
      matchResources: {
        matchPolicy: 'Exact',
        resourceRules: [
          rule(['horizontalpodautoscalers'], { apiGroups: ['autoscaling'], apiVersions: ['v1'] }),
        ],
      },
    },
    make(autoscaler, '/apis/autoscaling/v2/~/horizontalpodautoscalers'),
  ),
  scenario(
    'B native kinds',
    'two bindings of a policy',
    ...bound('Validating', demand('false', { message: 'not allowed' }), { validationActions: ['Warn'] }),
    create(
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: '{ns}-validating-second' },
        spec: {
          policyName: '{ns}-validating',
          validationActions: ['Deny'],
          matchResources: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
            resourceRules: [rule(['configmaps'], { resourceNames: ['bad'] })],
          },
        },
      },
      { show: () => 'done' },
    ),
    ...inEffect('Validating'),
    make(good),
    make(bad),
    ...unbound('Validating', ['', '-second']),
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
    create('/apis/autoscaling/v2/~/horizontalpodautoscalers', autoscaler),
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
    make(autoscaler, '/apis/autoscaling/v2/~/horizontalpodautoscalers'),
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

export const clusterScoped: readonly Scenario[] = [
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
