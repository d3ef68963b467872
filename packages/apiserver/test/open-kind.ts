/** A cluster-scoped kind whose spec takes anything. */
export const OPEN_KIND = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'opens.test.dev' },
  spec: {
    group: 'test.dev',
    scope: 'Cluster',
    names: { plural: 'opens', singular: 'open', kind: 'Open' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
}
