import { AGE, age, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

/** Kinds of which only the age is worth a column. */
export const plainPrinter: Printer = {
  columns: [NAME, AGE],
  cells: (object, now) => [nameOf(object), age(object, now)],
}
