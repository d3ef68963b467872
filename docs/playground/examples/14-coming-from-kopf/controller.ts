import { controller, controllerReference, defineKind, schema as s } from 'homeostat'
import { PersistentVolumeClaim } from 'homeostat/kinds'

export const EphemeralVolumeClaim = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'EphemeralVolumeClaim',
  spec: s.object({ size: s.quantity() }),
})

// The example of kopf's tutorial. @kopf.on.create, on.update and on.resume are one function, and kopf.adopt
// is the owner reference. Delete the claim on the right: it is made again, which kopf's handlers do not do.
export const volumes = controller('volumes')
  .for(EphemeralVolumeClaim)
  .owns(PersistentVolumeClaim)
  .writes(PersistentVolumeClaim, 'apply')
  .reconcile(async (request, { client, log }) => {
    const claim = await client.get(EphemeralVolumeClaim, request)
    if (!claim) return
    await client.apply(PersistentVolumeClaim, {
      metadata: {
        ...request,
        labels: { ...claim.metadata.labels },
        ownerReferences: [controllerReference(claim)],
      },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: String(claim.spec.size) } } },
    })
    log.info({ size: claim.spec.size }, 'the claim is as it should be')
  })
