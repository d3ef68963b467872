import { fieldsAt } from '../../registry/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { resourceSlicePrinter } from './table.ts'

/** ResourceSlices. */
export const resourceSlice: NativeKind = {
  group: 'resource.k8s.io',
  kind: 'ResourceSlice',
  generation: true,
  returnsDeleted: true,
  fieldLabels: {
    read: fieldsAt('spec.nodeName', 'spec.driver'),
    refusal: (label, { group, version, kind }) =>
      `field label not supported for ${group}/${version}, Kind=${kind}: ${label}`,
  },
  table: resourceSlicePrinter,
}
