import type { AdmissionPlugin } from '../../admission/index.ts'
import { type Registry, type ServerObject, specOf, storedObject } from '../../registry/index.ts'

/** Gives claims without a StorageClass the default one, and Ingresses without an IngressClass the default one. */
export function defaultClass(registry: Registry): AdmissionPlugin {
  return {
    resources: ['/persistentvolumeclaims', 'networking.k8s.io/ingresses'],
    admit({ operation, object, resource, subresource }) {
      if (operation !== 'CREATE' || !object || subresource !== undefined) return
      const claim = resource.plural === 'persistentvolumeclaims'
      const field = claim ? 'storageClassName' : 'ingressClassName'
      const annotation = claim ? 'volume.beta.kubernetes.io/storage-class' : 'kubernetes.io/ingress.class'
      if (specOf(object)[field] !== undefined || object.metadata.annotations?.[annotation] !== undefined)
        return
      const defaults = claim
        ? marked(registry, 'storage.k8s.io/storageclasses', STORAGE_MARKS)
        : marked(registry, 'networking.k8s.io/ingressclasses', INGRESS_MARKS)
      const [chosen] = defaults.toSorted(newestFirst)
      if (chosen) object['spec'] = { ...specOf(object), [field]: chosen.metadata.name }
    },
  }
}

const STORAGE_MARKS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]
const INGRESS_MARKS = ['ingressclass.kubernetes.io/is-default-class']

function marked(registry: Registry, collection: string, marks: readonly string[]): ServerObject[] {
  return registry.store
    .snapshot({ collection })
    .map(storedObject)
    .filter(({ metadata }) => marks.some((mark) => metadata.annotations?.[mark] === 'true'))
}

/** Of classes created in the same second, the first by name is the default. */
function newestFirst({ metadata: a }: ServerObject, { metadata: b }: ServerObject): number {
  const [left, right] = [a.creationTimestamp ?? '', b.creationTimestamp ?? '']
  if (left !== right) return left > right ? -1 : 1
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1
}
