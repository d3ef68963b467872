import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { labelSelector } from '../table-cells/table-cells.ts'

export const networkPolicyPrinter: Printer = {
  columns: [NAME, column('Pod-Selector'), AGE],
  cells: (object, now) => [nameOf(object), labelSelector(object.spec?.podSelector), age(object, now)],
}
