import { failure, labelValueProblems } from '@homeostat/api'
import { Failure } from '../failure.ts'
import { fieldsAt } from '../field-labels.ts'
import type { KindRules } from '../kind-rules.ts'
import type { Registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import { specOf, statusOf, type ServerMeta, type ServerObject } from '../server-object.ts'

/** The namespaces that are there from the start. */
export const DEFAULT_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'] as const
/** Where namespaces are stored. */
export const NAMESPACES = '/namespaces'

const NAME_LABEL = 'kubernetes.io/metadata.name'
/** The finalizer in a namespace's spec that holds it until its content is gone. */
export const CONTENT_FINALIZER = 'kubernetes'

/** A namespace names itself in a label, and is Terminating from its deletion until its content is gone. */
export const namespaceRules: KindRules = {
  names: 'label',
  returnsDeleted: true,
  plainDeletion: true,
  fieldLabels: { read: fieldsAt('status.phase') },
  prepareCreate(object) {
    const finalizers = specOf(object)['finalizers']
    const others = Array.isArray(finalizers) ? finalizers.filter((one) => one !== CONTENT_FINALIZER) : []
    object['spec'] = { ...specOf(object), finalizers: [...others, CONTENT_FINALIZER] }
    object['status'] = { phase: 'Active' }
    // A name that was generated came after the defaults.
    labelWithName(object)
  },
  prepareUpdate(object, old) {
    object['spec'] = { ...specOf(object), finalizers: specOf(old)['finalizers'] ?? [] }
  },
  prepareDelete(object) {
    object['status'] = { ...statusOf(object), phase: 'Terminating' }
  },
  finished: (object) => {
    const finalizers = specOf(object)['finalizers']
    return !Array.isArray(finalizers) || finalizers.length === 0
  },
}

function labelWithName(object: ServerObject): void {
  const { name } = object.metadata
  // A generated name that is wrong is refused as a name, not as a label.
  if (!name || labelValueProblems(name).length > 0) return
  object.metadata.labels = { ...object.metadata.labels, [NAME_LABEL]: name }
}

/** Refuses to make an object in a namespace that is not there, or is going. */
export function admitToNamespace(
  registry: Registry,
  resource: Resource,
  { name = '', namespace }: ServerMeta,
): void {
  if (resource.scope !== 'Namespaced' || !namespace) return
  const stored = registry.store.get(NAMESPACES, namespace)
  if (!stored) throw new Failure(failure.notFound({ group: '', plural: 'namespaces' }, namespace))
  const { metadata } = stored.value as ServerObject
  if (!metadata.deletionTimestamp) return
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const status = failure.forbidden(resource, name, why)
  throw new Failure({
    ...status,
    details: {
      ...status.details,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  })
}
