import { HomeostatError } from '@homeostat/api'
import { PersistentVolumeClaim, Pod } from '@homeostat/api/kinds'
import { controller, controllerReference, hasOwnerReference, type Client } from 'homeostat'
import { failureText } from '../objects/failure-text.ts'

type Volume = NonNullable<Pod['spec']['volumes']>[number]

/** Creates the claims of ephemeral volumes, which are deleted with their Pod. */
export const ephemeralClaims = controller('ephemeral-volume-controller')
  .for(Pod, { predicate: ({ object }) => hasEphemeral(object) })
  // A deleted claim is created again while its Pod exists.
  .watches(
    PersistentVolumeClaim,
    ({ metadata: { namespace, ownerReferences = [] } }) =>
      ownerReferences.filter(({ kind }) => kind === Pod.kind).map(({ name }) => ({ namespace, name })),
    { predicate: ({ type }) => type === 'deleted' },
  )
  .reconcile(async (request, { client, events }) => {
    const pod = await client.get(Pod, request)
    if (!pod || pod.metadata.deletionTimestamp) return
    for (const volume of pod.spec.volumes ?? []) {
      try {
        await provide(pod, volume, client)
      } catch (error) {
        events.warning(pod, 'FailedBinding', `ephemeral volume ${volume.name}: ${failureText(error)}`)
        throw error
      }
    }
  })

async function provide(pod: Pod, { name: volume, ephemeral }: Volume, client: Client): Promise<void> {
  if (!ephemeral) return
  const { namespace } = pod.metadata
  const name = `${pod.metadata.name}-${volume}`
  const there = await client.get(PersistentVolumeClaim, { namespace, name })
  if (there) {
    // A claim of a user that happens to have the name must not be taken for the Pod's.
    if (hasOwnerReference(pod, there, { controller: true })) return
    throw new HomeostatError(
      'CLAIM_OF_ANOTHER',
      `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`,
    )
  }
  const { metadata, spec } = ephemeral.volumeClaimTemplate ?? {}
  await client.create(PersistentVolumeClaim, {
    metadata: {
      namespace,
      name,
      ...(metadata?.labels ? { labels: { ...metadata.labels } } : {}),
      ...(metadata?.annotations ? { annotations: { ...metadata.annotations } } : {}),
      ownerReferences: [controllerReference(pod)],
    },
    spec: spec ?? {},
  })
}

function hasEphemeral({ spec }: Pod): boolean {
  return spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) ?? false
}
