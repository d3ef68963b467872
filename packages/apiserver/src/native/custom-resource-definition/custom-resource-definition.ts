import { objectRules, type ServerObject, specOf, statusOf, textOf } from '../../registry/index.ts'
import { listOf, objectOf, quote } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { setCondition } from './conditions.ts'
import { CLEANUP_FINALIZER } from './serve-definitions.ts'
import {
  defaultCustomResourceDefinition,
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from './validation.ts'

/**
 * CustomResourceDefinitions. After a write, the server checks a CRD's names, and serves it once they are accepted.
 */
export const customResourceDefinition: NativeKind = {
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  default: defaultCustomResourceDefinition,
  validate: validateCustomResourceDefinition,
  validateUpdate: validateCustomResourceDefinitionUpdate,
  plainFinalizers: true,
  // The numbers in a definition's schemas are JavaScript numbers.
  nearestNumbers: true,
  generation: true,
  unconditionalUpdate: false,
  plainDeletion: true,
  deletionFinalizer: CLEANUP_FINALIZER,
  prepareCreate(object) {
    object['status'] = { acceptedNames: { kind: '', plural: '' }, conditions: null, storedVersions: [] }
    recordStorage(object)
  },
  prepareUpdate: (object) => recordStorage(object),
  prepareStatus(object) {
    // A status names at least one stored version.
    if (listOf(statusOf(object)['storedVersions']).length === 0) recordStorage(object)
  },
  warnings(object, old) {
    const { unknownFormats } = objectRules.get()
    const formats = unknownFormats(object)
    const before = new Set(old && formats.length > 0 ? unknownFormats(old) : [])
    return formats
      .filter((format) => !before.has(format))
      .map((format) => `unrecognized format ${quote(format)}`)
  },
  prepareDelete(object, context) {
    setCondition(object, context, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    })
  },
}

/** Adds the storage version to `status.storedVersions`. */
function recordStorage(object: ServerObject): void {
  const status = { ...statusOf(object) }
  object['status'] = status
  const storage = listOf(specOf(object)['versions']).find((version) => objectOf(version)['storage'] === true)
  const stored = listOf(status['storedVersions']).map(String)
  const name = textOf(objectOf(storage)['name'])
  status['storedVersions'] = stored.includes(name) || name === '' ? stored : [...stored, name]
}
