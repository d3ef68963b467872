import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const resourceSlicePrinter: Printer = {
  columns: [NAME, column('Node'), column('Driver'), column('Pool'), AGE],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.nodeName ?? '',
    object.spec?.driver ?? '',
    object.spec?.pool?.name ?? '',
    age(object, now),
  ],
}
