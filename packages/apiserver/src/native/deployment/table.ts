import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { TEMPLATE, template } from '../workload/template-cells.ts'

export const deploymentPrinter: Printer = {
  columns: [NAME, column('Ready'), column('Up-to-date'), column('Available'), AGE, ...TEMPLATE],
  cells: (object, now) => [
    nameOf(object),
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    object.status?.updatedReplicas ?? 0,
    object.status?.availableReplicas ?? 0,
    age(object, now),
    ...template(object),
  ],
}
