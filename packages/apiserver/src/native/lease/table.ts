import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const leasePrinter: Printer = {
  columns: [NAME, column('Holder'), AGE],
  cells: (object, now) => [nameOf(object), object.spec?.holderIdentity ?? '', age(object, now)],
}
