import type { NativeKind } from '../kind/native-kind.ts'
import { plainPrinter } from '../table-cells/plain-table.ts'

/** DeviceClasses. */
export const deviceClass: NativeKind = {
  group: 'resource.k8s.io',
  kind: 'DeviceClass',
  generation: true,
  returnsDeleted: true,
  table: plainPrinter,
}
