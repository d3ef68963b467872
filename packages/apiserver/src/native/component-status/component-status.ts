import type { NativeKind } from '../kind/native-kind.ts'
import { componentStatusAction } from './component-status-action.ts'
import { componentStatusPrinter } from './table.ts'

/** ComponentStatuses, which are not stored. */
export const componentStatus: NativeKind = {
  group: '',
  kind: 'ComponentStatus',
  table: componentStatusPrinter,
  answer: () => componentStatusAction,
}
