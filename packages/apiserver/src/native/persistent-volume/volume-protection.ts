import type { AdmissionPlugin } from '../../admission/index.ts'

const FINALIZERS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    persistentvolumeclaims: 'kubernetes.io/pvc-protection',
    persistentvolumes: 'kubernetes.io/pv-protection',
    volumeattributesclasses: 'kubernetes.io/vac-protection',
  }),
)

/**
 * Gives claims, volumes and VolumeAttributesClasses the finalizer that keeps them while they are in use. A controller
 * removes it.
 */
export const volumeProtection: AdmissionPlugin = {
  resources: ['/persistentvolumeclaims', '/persistentvolumes', 'storage.k8s.io/volumeattributesclasses'],
  admit({ operation, object, resource, subresource }) {
    const finalizer = FINALIZERS.get(resource.plural)
    if (operation !== 'CREATE' || !object || subresource !== undefined || finalizer === undefined) return
    const { finalizers = [] } = object.metadata
    if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer]
  },
}
