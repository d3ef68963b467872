/** Objects of kinds that no recorded question is about, by the path of their collection. */
export const MORE_BASES: Readonly<Record<string, object>> = {
  '/api/v1/namespaces/{ns}/bindings': {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'b' },
    target: { kind: 'Node', name: 'n' },
  },
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions': {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.fuzz.example.com' },
    spec: {
      group: 'fuzz.example.com',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      scope: 'Namespaced',
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
                    count: { type: 'integer', minimum: 0, maximum: 10, default: 1 },
                    names: { type: 'array', items: { type: 'string', maxLength: 5 } },
                  },
                },
                status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
              },
            },
          },
          subresources: { status: {} },
          additionalPrinterColumns: [{ name: 'Count', type: 'integer', jsonPath: '.spec.count' }],
        },
      ],
    },
  },
  '/apis/authentication.k8s.io/v1/tokenreviews': {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: 'no token', audiences: ['a'] },
  },
  '/apis/authentication.k8s.io/v1/selfsubjectreviews': {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'SelfSubjectReview',
  },
  '/apis/authorization.k8s.io/v1/subjectaccessreviews': {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: {
      user: 'jane',
      groups: ['developers'],
      extra: { scopes: ['a'] },
      resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods', name: 'p' },
    },
  },
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { nonResourceAttributes: { path: '/healthz', verb: 'get' } },
  },
  '/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews': {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'LocalSubjectAccessReview',
    metadata: { namespace: '{ns}' },
    spec: { user: 'jane', resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' } },
  },
  '/apis/resource.k8s.io/v1/deviceclasses': {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name: 'gpus.example.com' },
    spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example.com"' } }] },
  },
  '/apis/resource.k8s.io/v1/resourceslices': {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: 'slice' },
    spec: {
      driver: 'gpu.example.com',
      nodeName: 'n1',
      pool: { name: 'n1', generation: 1, resourceSliceCount: 1 },
      devices: [
        { name: 'gpu-0', attributes: { model: { string: 'a' } }, capacity: { memory: { value: '1Gi' } } },
      ],
    },
  },
}
