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

/** A CRD's names are judged when it is written; those that are free are served from then on. */
export const customResourceDefinition: NativeKind = {
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  default: defaultCustomResourceDefinition,
  validate: validateCustomResourceDefinition,
  validateUpdate: validateCustomResourceDefinitionUpdate,
  plainFinalizers: true,
  // The schemas in a definition hold numbers as JavaScript has them.
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
    // There is always one version in which objects may be stored.
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

/** Records that objects are stored in the storage version from now on. */
function recordStorage(object: ServerObject): void {
  const status = { ...statusOf(object) }
  object['status'] = status
  const storage = listOf(specOf(object)['versions']).find((version) => objectOf(version)['storage'] === true)
  const stored = listOf(status['storedVersions']).map(String)
  const name = textOf(objectOf(storage)['name'])
  status['storedVersions'] = stored.includes(name) || name === '' ? stored : [...stored, name]
}
