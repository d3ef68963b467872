import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'

export const flowSchemaPrinter: Printer = {
  columns: [
    NAME,
    column('PriorityLevel'),
    column('MatchingPrecedence'),
    column('DistinguisherMethod'),
    AGE,
    column('MissingPL'),
  ],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.priorityLevelConfiguration?.name ?? '',
    object.spec?.matchingPrecedence ?? 0,
    object.spec?.distinguisherMethod ? (object.spec.distinguisherMethod.type ?? '') : '<none>',
    age(object, now),
    conditionOf(object.status?.conditions, 'Dangling')?.status ?? '?',
  ],
}
