import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { labels } from '../table-cells/table-cells.ts'
import { TEMPLATE, template } from '../workload/template-cells.ts'

export const daemonSetPrinter: Printer = {
  columns: [
    NAME,
    column('Desired', 'integer'),
    column('Current', 'integer'),
    column('Ready', 'integer'),
    column('Up-to-date', 'integer'),
    column('Available', 'integer'),
    column('Node Selector'),
    AGE,
    ...TEMPLATE,
  ],
  cells: (object, now) => [
    nameOf(object),
    object.status?.desiredNumberScheduled ?? 0,
    object.status?.currentNumberScheduled ?? 0,
    object.status?.numberReady ?? 0,
    object.status?.updatedNumberScheduled ?? 0,
    object.status?.numberAvailable ?? 0,
    labels(object.spec?.template?.spec?.nodeSelector),
    age(object, now),
    ...template(object),
  ],
}
