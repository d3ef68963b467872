import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const namespacePrinter: Printer = {
  columns: [NAME, column('Status'), AGE],
  cells: (object, now) => [nameOf(object), object.status?.phase ?? '', age(object, now)],
}
