import { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@homeostat/api/kinds'
import { controller, type Client, type ReconcileContext } from 'homeostat'
import { boundClaim, boundVolume, claimStatus } from './binding.ts'
import { planClaimBinding, type Notice, type ClaimContext } from './claim-plan.ts'
import { BIND_COMPLETED, PROVISIONERS } from './volume-annotations.ts'
import { claimNames } from './claim-names.ts'

type Key = { namespace: string; name: string }

/**
 * Finds a volume for each claim, or asks a provisioner for one. Works on one claim at a time, so that no two claims
 * choose the same volume.
 */
export const claimBinder = controller('persistentvolume-binder')
  .for(PersistentVolumeClaim)
  .watches(PersistentVolume, async ({ metadata, spec }, { client }) => {
    const { claimRef } = spec
    if (claimRef?.namespace && claimRef.name) {
      return { namespace: claimRef.namespace, name: claimRef.name }
    }
    // A claim may wait for a free volume.
    const claims = await client.list(PersistentVolumeClaim)
    return keys(claims.filter((claim) => isUnbound(claim) || claim.spec.volumeName === metadata.name))
  })
  .watches(StorageClass, async (_class, { client }) =>
    keys((await client.list(PersistentVolumeClaim)).filter(isUnbound)),
  )
  // Where binding waits for the first Pod, that Pod and its node are what the claim waits for.
  .watches(Pod, async (pod, { client }) => {
    const { namespace } = pod.metadata
    const used = claimNames(pod)
    if (used.length === 0) return undefined
    const claims = await client.list(PersistentVolumeClaim, { namespace })
    return keys(claims.filter((claim) => isUnbound(claim) && used.includes(claim.metadata.name)))
  })
  .reconcile(async (request, context) => {
    const { client } = context
    const claim = await client.get(PersistentVolumeClaim, request)
    if (!claim) return
    const plan = planClaimBinding(claim, await claimContext(claim, client))
    switch (plan.type) {
      case 'bind':
        await bind(plan.volume, claim, client)
        return
      case 'provision':
        await askProvisioner(plan.provisioner, claim, context)
        return
      case 'assign':
        await client.update(PersistentVolumeClaim, {
          ...claim,
          spec: { ...claim.spec, storageClassName: plan.storageClass },
        })
        return
      case 'wait':
        if (plan.notice) tell(claim, plan.notice, context)
        await writeStatus(claim, claimStatus(claim, 'Pending'), client)
        return
      case 'lost':
        if (claim.status.phase === 'Lost') return
        await writeStatus(claim, claimStatus(claim, 'Lost'), client)
        tell(claim, plan.notice, context)
        return
      case 'fail':
        tell(claim, plan.notice, context)
    }
  })

async function claimContext(claim: PersistentVolumeClaim, client: Client): Promise<ClaimContext> {
  const { namespace, name } = claim.metadata
  const [volumes, classes, pods] = await Promise.all([
    client.list(PersistentVolume),
    client.list(StorageClass),
    isUnbound(claim) ? client.list(Pod, { namespace }) : [],
  ])
  const users = pods.filter((pod) => claimNames(pod).includes(name))
  return {
    volumes,
    classes,
    waitingPods: users.filter(({ spec }) => !spec.nodeName).map(({ metadata }) => metadata.name),
    placed: users.some(({ spec }) => spec.nodeName),
  }
}

/** Writes the volume first, so that a claim is never bound to a volume that does not refer to it. */
async function bind(found: PersistentVolume, claim: PersistentVolumeClaim, client: Client): Promise<void> {
  let volume = boundVolume(found, claim)
  if (volume !== found) volume = await client.update(PersistentVolume, volume)
  if (volume.status.phase !== 'Bound') {
    const { message: _, ...status } = volume.status
    volume = await client.status.update(PersistentVolume, {
      ...volume,
      status: { ...status, phase: 'Bound' },
    })
  }
  const wanted = boundClaim(claim, volume)
  const bound = wanted === claim ? claim : await client.update(PersistentVolumeClaim, wanted)
  await writeStatus(bound, claimStatus(bound, 'Bound', volume), client)
}

async function askProvisioner(
  provisioner: string,
  claim: PersistentVolumeClaim,
  context: ReconcileContext,
): Promise<void> {
  const { annotations } = claim.metadata
  if (PROVISIONERS.some((annotation) => annotations?.[annotation] !== provisioner)) {
    const asked = Object.fromEntries(PROVISIONERS.map((annotation) => [annotation, provisioner]))
    await context.client.update(PersistentVolumeClaim, {
      ...claim,
      metadata: { ...claim.metadata, annotations: { ...annotations, ...asked } },
    })
  }
  const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`
  tell(claim, { type: 'normal', reason: 'ExternalProvisioning', message }, context)
}

async function writeStatus(
  claim: PersistentVolumeClaim,
  status: PersistentVolumeClaim['status'],
  client: Client,
): Promise<void> {
  if (status !== claim.status) await client.status.update(PersistentVolumeClaim, { ...claim, status })
}

function tell(claim: PersistentVolumeClaim, notice: Notice, { events }: ReconcileContext): void {
  events[notice.type](claim, notice.reason, notice.message)
}

function isUnbound({ metadata }: PersistentVolumeClaim): boolean {
  return metadata.annotations?.[BIND_COMPLETED] === undefined
}

function keys(claims: readonly PersistentVolumeClaim[]): Key[] {
  return claims.map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}
