import type { AdmissionPlugin } from '../../admission/index.ts'
import { type Registry, type ServerObject, specOf, storedObject } from '../../registry/index.ts'

/** Gives claims without a StorageClass the default one. */
export function defaultStorageClass(registry: Registry): AdmissionPlugin {
  return defaultClass(registry, {
    of: '/persistentvolumeclaims',
    field: 'storageClassName',
    annotation: 'volume.beta.kubernetes.io/storage-class',
    classes: 'storage.k8s.io/storageclasses',
    marks: STORAGE_MARKS,
  })
}

/** Gives Ingresses without an IngressClass the default one. */
export function defaultIngressClass(registry: Registry): AdmissionPlugin {
  return defaultClass(registry, {
    of: 'networking.k8s.io/ingresses',
    field: 'ingressClassName',
    annotation: 'kubernetes.io/ingress.class',
    classes: 'networking.k8s.io/ingressclasses',
    marks: INGRESS_MARKS,
  })
}

/** The fields in which a kind of object names its class, and the existing classes. */
interface Classified {
  readonly of: string
  readonly field: string
  /** An older way to name the class. */
  readonly annotation: string
  readonly classes: string
  /** The annotations by which a class is the default. */
  readonly marks: readonly string[]
}

function defaultClass(
  registry: Registry,
  { of, field, annotation, classes, marks }: Classified,
): AdmissionPlugin {
  return {
    resources: [of],
    operations: ['CREATE'],
    admit({ object, subresource }) {
      if (!object || subresource !== undefined) return
      if (specOf(object)[field] !== undefined || object.metadata.annotations?.[annotation] !== undefined)
        return
      const [chosen] = marked(registry, classes, marks).toSorted(newestFirst)
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

/** If several classes were created in the same second, the first by name is the default. */
function newestFirst({ metadata: a }: ServerObject, { metadata: b }: ServerObject): number {
  const [left, right] = [a.creationTimestamp ?? '', b.creationTimestamp ?? '']
  if (left !== right) return left > right ? -1 : 1
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1
}
