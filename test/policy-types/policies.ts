/** A policy whose expressions are to be checked against the types of what it matches. */
export interface TypedPolicy {
  readonly title: string
  readonly spec: Readonly<Record<string, unknown>>
}

interface Shape {
  readonly groups?: readonly string[]
  readonly versions?: readonly string[]
  readonly resources: readonly string[]
  readonly validations: readonly (string | Readonly<Record<string, string>>)[]
  readonly more?: Readonly<Record<string, unknown>>
}

function policy(
  title: string,
  { groups = ['apps'], versions = ['v1'], resources, validations, more }: Shape,
) {
  return {
    title,
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: groups, apiVersions: versions, operations: ['CREATE', 'UPDATE'], resources },
        ],
      },
      validations: validations.map((one) => (typeof one === 'string' ? { expression: one } : one)),
      ...more,
    },
  }
}

const deployments = { resources: ['deployments'] }
const core = { groups: [''] }

/** Has a custom resource `widgets` with a typed spec. */
const CRD_GROUP = 'policy-types.example.com'

export const policies: readonly TypedPolicy[] = [
  policy('fits', { ...deployments, validations: ['object.spec.replicas <= 5'] }),
  policy('field that does not exist', { ...deployments, validations: ['object.spec.replica <= 5'] }),
  policy('field of the object that does not exist', { ...deployments, validations: ['object.specs == 1'] }),
  policy('value of another type', { ...deployments, validations: ["object.spec.replicas == '5'"] }),
  policy('old object', { ...deployments, validations: ['oldObject == null || oldObject.spec.nope == 1'] }),
  policy('two mistakes in one expression', {
    ...deployments,
    validations: ['object.spec.one == 1 && object.spec.two == 2'],
  }),
  policy('two mistakes in two expressions', {
    ...deployments,
    validations: ['object.spec.one == 1', 'true', 'object.spec.two == 2'],
  }),
  policy('message', {
    ...deployments,
    validations: [{ expression: 'true', messageExpression: "'replicas: ' + object.spec.replicas" }],
  }),
  policy('field that one of two kinds has', {
    resources: ['statefulsets', 'deployments'],
    validations: ["object.spec.serviceName != ''"],
  }),
  policy('field that neither of two kinds has', {
    resources: ['deployments', 'daemonsets'],
    validations: ['object.spec.nope == 1'],
  }),
  policy('any group', { ...deployments, groups: ['*'], validations: ['object.spec.nope == 1'] }),
  policy('any version', { ...deployments, versions: ['*'], validations: ['object.spec.nope == 1'] }),
  policy('any resource', { resources: ['*'], validations: ['object.spec.nope == 1'] }),
  policy('subresource', { resources: ['deployments/scale'], validations: ['object.spec.nope == 1'] }),
  policy('resource that is not served', { resources: ['ships'], validations: ['object.spec.nope == 1'] }),
  policy('version that is not served', {
    ...deployments,
    versions: ['v1', 'v9'],
    validations: ['object.spec.nope == 1'],
  }),
  policy('variable', {
    ...deployments,
    validations: ['variables.count < 5', "variables.count == 'five'"],
    more: { variables: [{ name: 'count', expression: 'object.spec.replicas' }] },
  }),
  policy('variable with a mistake', {
    ...deployments,
    validations: ['variables.count < 5'],
    more: { variables: [{ name: 'count', expression: 'object.spec.nope' }] },
  }),
  policy('variable that is an object', {
    ...deployments,
    validations: ['variables.template.spec.nope == 1'],
    more: { variables: [{ name: 'template', expression: 'object.spec.template' }] },
  }),
  policy('match condition and audit annotation', {
    ...deployments,
    validations: ['true'],
    more: {
      matchConditions: [{ name: 'nope', expression: 'object.spec.nope == 1' }],
      auditAnnotations: [{ key: 'nope', valueExpression: 'string(object.spec.nope)' }],
    },
  }),
  policy('parameters', {
    ...deployments,
    validations: ["object.spec.replicas < int(params.data['max'])", 'params.nope == 1'],
    more: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
  }),
  policy('parameters of a kind that is not served', {
    ...deployments,
    validations: ['params.nope == object.spec.nope'],
    more: { paramKind: { apiVersion: 'nowhere.example.com/v1', kind: 'Nothing' } },
  }),
  policy('integer or string', {
    ...deployments,
    validations: [
      "object.spec.strategy.rollingUpdate.maxSurge == '25%'",
      'object.spec.strategy.rollingUpdate.maxSurge == 1',
    ],
  }),
  policy('quantity', {
    ...core,
    resources: ['pods'],
    validations: [
      "object.spec.containers[0].resources.limits['cpu'] == '1'",
      "object.spec.containers[0].resources.limits['cpu'] < 1",
    ],
  }),
  policy('metadata', {
    ...core,
    resources: ['configmaps'],
    validations: [
      "object.metadata.labels['app'] == 1",
      'object.metadata.labels.app == 1',
      "object.metadata.creationTimestamp == 'now'",
      'object.metadata.generation > 1',
      'object.metadata.nope == 1',
      'object.metadata.ownerReferences.all(one, one.controller == 1)',
      "object.metadata.managedFields[0].fieldsV1.nope == 'a'",
    ],
  }),
  policy('bytes', { ...core, resources: ['secrets'], validations: ["object.data.key == 'text'"] }),
  policy('lists', {
    ...core,
    resources: ['pods'],
    validations: [
      'object.spec.containers.all(one, one.image.startsWith(one.name) && one.image + 1 == 2)',
      'object.spec.containers.exists(one, one.picture == "a")',
      'object.spec.containers.map(one, one.ports) == object.spec.nodeName',
    ],
  }),
  policy('whether a field is there', {
    ...core,
    resources: ['pods'],
    validations: ['has(object.spec.nope)', 'has(object.spec.nodeName)'],
  }),
  policy('whole objects', {
    ...core,
    resources: ['pods'],
    validations: ['object.spec == 1', 'object == oldObject', 'object.spec.containers == object.spec'],
  }),
  policy('any JSON', {
    resources: ['controllerrevisions'],
    validations: ['object.data.spec == 1', 'object.data == 1', "object.revision == 'a'"],
  }),
  policy('kind that holds itself', {
    groups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    validations: ['object.spec.nope == 1'],
  }),
  policy('times', {
    groups: ['coordination.k8s.io'],
    resources: ['leases'],
    validations: ['object.spec.renewTime == 1', 'object.spec.leaseDurationSeconds == "1"'],
  }),
  policy('custom resource', {
    groups: [CRD_GROUP],
    resources: ['widgets'],
    validations: [
      'object.spec.size == 1',
      "object.spec.size == '1'",
      'object.spec.nope == 1',
      'object.spec.any.thing == 1',
      'object.spec.port == 1',
      'object.metadata.nope == 1',
    ],
  }),
  policy('authorizer', {
    ...deployments,
    validations: [
      "authorizer.group('apps').resource('deployments').check('get').allowed()",
      "authorizer.requestResource.check('get').allowed()",
    ],
  }),
  policy('more than ten kinds', {
    ...core,
    resources: [
      'bindings',
      'configmaps',
      'endpoints',
      'events',
      'limitranges',
      'namespaces',
      'nodes',
      'persistentvolumeclaims',
      'persistentvolumes',
      'pods',
      'secrets',
      'services',
    ],
    validations: ['object.nope == 1'],
  }),
]

/** The definition of the custom resource that policies ask about. */
export const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${CRD_GROUP}` },
  spec: {
    group: CRD_GROUP,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer' },
                  any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
                  port: { 'x-kubernetes-int-or-string': true },
                },
              },
            },
          },
        },
      },
    ],
  },
}
