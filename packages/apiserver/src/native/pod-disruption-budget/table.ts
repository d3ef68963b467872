import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'

export const podDisruptionBudgetPrinter: Printer = {
  columns: [
    NAME,
    column('Min Available'),
    column('Max Unavailable'),
    column('Allowed Disruptions', 'integer'),
    AGE,
  ],
  cells: (object, now) => [
    nameOf(object),
    String(object.spec?.minAvailable ?? 'N/A'),
    String(object.spec?.maxUnavailable ?? 'N/A'),
    object.status?.disruptionsAllowed ?? 0,
    age(object, now),
  ],
}
