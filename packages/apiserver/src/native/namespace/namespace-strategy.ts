import { labelValueProblems } from '@homeostat/api'
import { fieldsAtPaths } from '../../fields/index.ts'
import { fieldsAt, type KindStrategy, type ServerObject, specOf, statusOf } from '../../registry/index.ts'
import { CONTENT_FINALIZER } from './default-namespaces.ts'

const NAME_LABEL = 'kubernetes.io/metadata.name'

/** Namespaces have their name as a label. The phase is Terminating from the deletion until the content is gone. */
export const namespaceStrategy: KindStrategy = {
  names: 'label',
  returnsDeleted: true,
  plainDeletion: true,
  resetFields: { finalize: fieldsAtPaths('status') },
  fieldLabels: { read: fieldsAt('status.phase') },
  prepareCreate(object) {
    const finalizers = specOf(object)['finalizers']
    const others = Array.isArray(finalizers) ? finalizers.filter((one) => one !== CONTENT_FINALIZER) : []
    object['spec'] = { ...specOf(object), finalizers: [...others, CONTENT_FINALIZER] }
    object['status'] = { phase: 'Active' }
    // The defaults could not set the label: the name was generated after them.
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
  // An invalid generated name is reported as a name, not as a label.
  if (!name || labelValueProblems(name).length > 0) return
  object.metadata.labels = { ...object.metadata.labels, [NAME_LABEL]: name }
}
