import { driverName, named, unchanged } from '../../checks/index.ts'
import { forbiddenValue, isObject, objectOf, requiredValue, subdomainProblems } from '../../schema/index.ts'
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
    if (persistentVolumeName === undefined) return errors
    return [...errors, ...named(persistentVolumeName, 'spec.source.persistentVolumeName', subdomainProblems)]
  },
  validateUpdate(object, old) {
    const { attacher, nodeName } = objectOf(object['spec'])
    return unchanged(object['spec'], old['spec'], 'spec', { Attacher: attacher, NodeName: nodeName })
  },
}
