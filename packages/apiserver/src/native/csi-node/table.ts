import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const csiNodePrinter: Printer = {
  columns: [NAME, column('Drivers', 'integer'), AGE],
  cells: (object, now) => [nameOf(object), (object.spec?.drivers ?? []).length, age(object, now)],
}
