import { AGE, age, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

/** The table of kinds that show only their name and age. */
export const plainPrinter: Printer = {
  columns: [NAME, AGE],
  cells: (object, now) => [nameOf(object), age(object, now)],
}
