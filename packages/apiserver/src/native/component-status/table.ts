import { column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'

export const componentStatusPrinter: Printer = {
  columns: [NAME, column('Status'), column('Message'), column('Error')],
  cells(object) {
    const healthy = conditionOf(object.conditions, 'Healthy')
    const state = healthy ? (healthy.status === 'True' ? 'Healthy' : 'Unhealthy') : 'Unknown'
    return [nameOf(object), state, healthy?.message ?? '', healthy?.error ?? '']
  },
}
