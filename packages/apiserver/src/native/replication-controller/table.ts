import type { Printer } from '../../registry/index.ts'
import { replicaSetPrinter } from '../replica-set/table.ts'
import { labels } from '../table-cells/table-cells.ts'

export const replicationControllerPrinter: Printer = {
  columns: replicaSetPrinter.columns,
  cells: (object, now) => [
    ...replicaSetPrinter.cells(object, now).slice(0, -1),
    labels(object.spec?.selector),
  ],
}
