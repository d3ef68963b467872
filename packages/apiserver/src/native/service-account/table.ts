import { AGE, age, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const serviceAccountPrinter: Printer = {
  columns: [NAME, AGE],
  cells: (object, now) => [nameOf(object), age(object, now)],
}
