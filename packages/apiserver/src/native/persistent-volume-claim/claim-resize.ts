import type { AdmissionPlugin } from '../../admission/index.ts'
import { type Registry, type ServerObject, specOf, statusOf } from '../../registry/index.ts'
import { compareQuantities, objectOf, parseQuantity, type Quantity, textOf } from '../../schema/index.ts'

/** Refuses to resize a claim unless it is bound and its StorageClass allows expansion. */
export function claimResize(registry: Registry): AdmissionPlugin {
  return {
    resources: ['/persistentvolumeclaims'],
    validate({ operation, object, oldObject, subresource, refuse }) {
      if (operation !== 'UPDATE' || !object || !oldObject || subresource !== undefined) return
      const [size, before] = [sizeOf(object), sizeOf(oldObject)]
      if (!size || !before || compareQuantities(size, before) <= 0) return
      if (statusOf(oldObject)['phase'] !== 'Bound') {
        refuse('Only bound persistent volume claims can be expanded')
      }
      const name = classOf(object)
      const found = registry.store.get('storage.k8s.io/storageclasses', name)
      if (name !== '' && name === classOf(oldObject) && found?.value['allowVolumeExpansion'] === true) return
      refuse(
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      )
    },
  }
}

function sizeOf(claim: Readonly<ServerObject>): Quantity | undefined {
  return parseQuantity(objectOf(objectOf(specOf(claim)['resources'])['requests'])['storage'])
}

function classOf(claim: Readonly<ServerObject>): string {
  const noted = claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class']
  return noted ?? textOf(specOf(claim)['storageClassName'])
}
