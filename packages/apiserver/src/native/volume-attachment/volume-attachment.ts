import { driverName, named, unchanged } from '../../checks/index.ts'
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
  tooLong,
  validateObjectMeta,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { validateVolumeSpec } from '../persistent-volume/persistent-volume.ts'
import { clearStatus, keepWritableMetadata, keptMetadata } from '../status/clear-status.ts'
import { volumeAttachmentPrinter } from './table.ts'

/** VolumeAttachments. */
export const volumeAttachment: NativeKind = {
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  unconditionalUpdate: false,
  returnsDeleted: true,
  prepareCreate: clearStatus,
  prepareStatus: keepWritableMetadata,
  resetFields: keptMetadata,
  table: volumeAttachmentPrinter,
  updateSteps: ['metadata', 'object', 'change'],
  validate(object) {
    const spec = objectOf(object['spec'])
    const source = objectOf(spec['source'])
    const { persistentVolumeName, inlineVolumeSpec } = source
    const errors = driverName(spec['attacher'], 'spec.attacher')
    const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
    const inline = isObject(inlineVolumeSpec)
    if (!inline && persistentVolumeName === undefined) errors.push(requiredValue('spec.source', detail))
    else if (inline && persistentVolumeName !== undefined) errors.push(forbiddenValue('spec.source', detail))
    else if (persistentVolumeName === '') {
      const empty = 'must specify non empty persistentVolumeName'
      errors.push(requiredValue('spec.source.persistentVolumeName', empty))
    } else if (inline) {
      addAll(errors, validateVolumeSpec(inlineVolumeSpec, 'spec.source.inlineVolumeSpec', '', true))
    }
    addAll(errors, named(spec['nodeName'], 'spec.nodeName', subdomainProblems))
    addAll(errors, statusErrors(objectOf(object['status'])))
    if (persistentVolumeName === undefined) return errors
    return [...errors, ...named(persistentVolumeName, 'spec.source.persistentVolumeName', subdomainProblems)]
  },
  // Kubernetes validates the whole object again. In its metadata, only the beginning of the name can be invalid here.
  validateStatus: ({ metadata, status }) => [
    ...validateObjectMeta(metadata, { namespaced: false }),
    ...statusErrors(objectOf(status)),
  ],
  validateUpdate(object, old) {
    const { attacher, nodeName } = objectOf(object['spec'])
    return unchanged(object['spec'], old['spec'], 'spec', { Attacher: attacher, NodeName: nodeName })
  },
}

const LARGEST_METADATA = 256 * 1024
const LONGEST_MESSAGE = 1024

function statusErrors({ attachmentMetadata, attachError, detachError }: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  let size = 0
  for (const [key, value] of Object.entries(objectOf(attachmentMetadata))) {
    size += bytes(key) + bytes(textOf(value))
  }
  if (size > LARGEST_METADATA) errors.push(tooLong('status.attachmentMetadata', LARGEST_METADATA))
  for (const [name, error] of Object.entries({ attachError, detachError })) {
    const { message = '', errorCode } = objectOf(error)
    // As in Kubernetes, the message names the limit of the metadata.
    if (bytes(textOf(message)) > LONGEST_MESSAGE)
      errors.push(tooLong(`status.${name}.message`, LARGEST_METADATA))
    if (typeof errorCode === 'number' && errorCode < 0) {
      const detail = 'must be between 0 and 2147483647, inclusive'
      errors.push(invalidValue(`status.${name}.errorCode`, errorCode, detail))
    }
  }
  return errors
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length
}
