import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const secretPrinter: Printer = {
  columns: [NAME, column('Type'), column('Data'), AGE],
  cells: (object, now) => [
    nameOf(object),
    object.type ?? '',
    Object.keys(object.data ?? {}).length,
    age(object, now),
  ],
}
