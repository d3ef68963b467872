import type { NativeKind } from '../kind/native-kind.ts'
import { componentStatusPrinter } from './table.ts'

/** ComponentStatuses, which are not stored. */
export const componentStatus: NativeKind = {
  group: '',
  kind: 'ComponentStatus',
  table: componentStatusPrinter,
}
