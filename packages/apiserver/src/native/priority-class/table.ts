import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const priorityClassPrinter: Printer = {
  columns: [
    NAME,
    column('Value', 'integer'),
    column('Global-Default', 'boolean'),
    AGE,
    column('PreemptionPolicy'),
  ],
  cells: (object, now) => [
    nameOf(object),
    object.value ?? 0,
    object.globalDefault ?? false,
    age(object, now),
    object.preemptionPolicy ?? '',
  ],
}
