import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const runtimeClassPrinter: Printer = {
  columns: [NAME, column('Handler'), AGE],
  cells: (object, now) => [nameOf(object), object.handler ?? '', age(object, now)],
}
