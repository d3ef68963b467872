import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { TEMPLATE, template } from '../workload/template-cells.ts'

export const replicaSetPrinter: Printer = {
  columns: [
    NAME,
    column('Desired', 'integer'),
    column('Current', 'integer'),
    column('Ready', 'integer'),
    AGE,
    ...TEMPLATE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.replicas ?? 0,
    object.status?.replicas ?? 0,
    object.status?.readyReplicas ?? 0,
    age(object, now),
    ...template(object),
  ],
}
