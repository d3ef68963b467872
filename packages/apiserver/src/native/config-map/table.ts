import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const configMapPrinter: Printer = {
  columns: [NAME, column('Data'), AGE],
  cells: (object, now) => [
    nameOf(object),
    Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
    age(object, now),
  ],
}
