import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, Stored } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'

export const apiServicePrinter: Printer = {
  columns: [NAME, column('Service'), column('Available'), AGE],
  cells(object, now) {
    const service: Stored | undefined = object.spec?.service
    return [
      nameOf(object),
      service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
      availability(conditionOf(object.status?.conditions, 'Available')),
      age(object, now),
    ]
  },
}

function availability(condition: Stored | undefined): string {
  if (!condition) return 'Unknown'
  const { status, reason } = condition
  return status !== 'True' && reason ? `${status} (${reason})` : status
}
