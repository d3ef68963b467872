import { AGE, age, column, NAME, nameOf, wide } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { containers } from '../pod-spec/container-cells.ts'

export const statefulSetPrinter: Printer = {
  columns: [NAME, column('Ready'), AGE, wide('Containers'), wide('Images')],
  cells: (object, now) => [
    nameOf(object),
    `${object.status?.readyReplicas ?? 0}/${object.spec?.replicas ?? 0}`,
    age(object, now),
    ...containers(object.spec?.template?.spec),
  ],
}
