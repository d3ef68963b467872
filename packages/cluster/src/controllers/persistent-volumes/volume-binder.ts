import { PersistentVolume, PersistentVolumeClaim } from '@homeostat/api/kinds'
import { controller, type ReconcileContext } from 'homeostat'
import { planVolume, type VolumePlan } from './volume-plan.ts'

/** Keeps the phase of each volume: free, bound, or released when its claim is gone. */
export const volumeBinder = controller('persistentvolume-phases')
  .for(PersistentVolume)
  .watches(PersistentVolumeClaim, async ({ metadata: { namespace, name } }, { client }) => {
    const volumes = await client.list(PersistentVolume)
    return volumes
      .filter(({ spec }) => spec.claimRef?.namespace === namespace && spec.claimRef.name === name)
      .map(({ metadata }) => ({ name: metadata.name }))
  })
  .reconcile(async (request, context) => {
    const { client, events } = context
    const volume = await client.get(PersistentVolume, request)
    if (!volume) return
    const claim = await claimOf(volume, context)
    const plan = planVolume(volume, claim)
    switch (plan.type) {
      case 'phase':
        await setPhase(volume, plan.phase, context)
        return
      case 'release':
        await release(volume, plan, context)
        return
      case 'unbind':
        await setPhase(await client.update(PersistentVolume, plan.volume), 'Available', context)
        return
      case 'mismatch':
        events.warning(
          volume,
          'VolumeMismatch',
          `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claim?.metadata.name}" due to incompatible volumeMode.`,
        )
        return
      case 'wait':
    }
  })

/**
 * The claim that a volume names. Where the cache does not have it, the server is asked, since data may depend on
 * the answer.
 */
async function claimOf(
  { spec }: PersistentVolume,
  { client }: ReconcileContext,
): Promise<PersistentVolumeClaim | undefined> {
  const { namespace, name, uid } = spec.claimRef ?? {}
  if (!namespace || !name || !uid) return undefined
  const cached = await client.get(PersistentVolumeClaim, { namespace, name })
  return cached?.metadata.uid === uid ? cached : client.live.get(PersistentVolumeClaim, { namespace, name })
}

async function release(
  volume: PersistentVolume,
  { problem }: Extract<VolumePlan, { type: 'release' }>,
  context: ReconcileContext,
): Promise<void> {
  const { phase } = volume.status
  const released =
    phase === 'Released' || phase === 'Failed' ? volume : await setPhase(volume, 'Released', context)
  if (!problem || phase === 'Failed') return
  await setPhase(released, 'Failed', context, problem.message)
  context.events.warning(released, problem.reason, problem.message)
}

async function setPhase(
  volume: PersistentVolume,
  phase: 'Available' | 'Bound' | 'Released' | 'Failed',
  { client }: ReconcileContext,
  message?: string,
): Promise<PersistentVolume> {
  if (volume.status.phase === phase) return volume
  const { message: _, ...status } = volume.status
  return client.status.update(PersistentVolume, {
    ...volume,
    status: { ...status, phase, ...(message === undefined ? {} : { message }) },
  })
}
