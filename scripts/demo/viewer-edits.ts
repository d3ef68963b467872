import type { ObjectKey } from 'homeostat'
import { Deployment, Service } from 'homeostat/kinds'
import type { Edit } from './edit.ts'

/** Three edits of a viewer's Deployment and Service, under the names that kubectl writes by. */
export function viewerEdits(viewer: ObjectKey & { namespace: string }): readonly Edit[] {
  const { name } = viewer
  return [
    {
      command: `kubectl patch service ${name} -p '{"spec":{"type":"NodePort"}}'`,
      make: (client) =>
        client.patch(Service, viewer, merge({ spec: { type: 'NodePort' } }), {
          fieldManager: 'kubectl-patch',
        }),
      isHealed: async (client) => (await client.getOrThrow(Service, viewer)).spec?.type === 'ClusterIP',
    },
    {
      command: `kubectl edit deployment ${name}     # with another label in the editor`,
      make: (client) =>
        client.patch(Deployment, viewer, merge({ metadata: { labels: { [LABEL]: 'changed' } } }), {
          fieldManager: 'kubectl-edit',
        }),
      isHealed: async (client) =>
        (await client.getOrThrow(Deployment, viewer)).metadata.labels?.[LABEL] === 'mdbook',
    },
    {
      command: `kubectl scale deployment ${name} --replicas=2`,
      make: (client) =>
        client
          .subresource('scale')
          .patch(Deployment, viewer, merge({ spec: { replicas: 2 } }), { fieldManager: 'kubectl' }),
      async isHealed(client) {
        const { metadata, spec, status } = await client.getOrThrow(Deployment, viewer)
        const isSeen = status?.observedGeneration === metadata.generation
        return spec.replicas === 1 && isSeen && status?.replicas === 1
      },
    },
  ]
}

const LABEL = 'app.kubernetes.io/name'

function merge(body: object) {
  return { type: 'merge', body } as const
}
