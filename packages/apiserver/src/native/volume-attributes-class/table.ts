import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const volumeAttributesClassPrinter: Printer = {
  columns: [NAME, column('DriverName'), AGE],
  cells: (object, now) => [nameOf(object), object.driverName ?? '', age(object, now)],
}
