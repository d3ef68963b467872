import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const serviceCidrPrinter: Printer = {
  columns: [NAME, column('CIDRs'), AGE],
  cells: (object, now) => [nameOf(object), (object.spec?.cidrs ?? []).join(','), age(object, now)],
}
