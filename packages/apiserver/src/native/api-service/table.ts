import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'

export const apiServicePrinter: Printer = {
  columns: [NAME, column('Service'), column('Available'), AGE],
  cells(object, now) {
    const service: PrintedObject | undefined = object.spec?.service
    return [
      nameOf(object),
      service ? `${service.namespace ?? ''}/${service.name ?? ''}` : 'Local',
      availability(conditionOf(object.status?.conditions, 'Available')),
      age(object, now),
    ]
  },
}

function availability(condition: PrintedObject | undefined): string {
  if (!condition) return 'Unknown'
  const { status, reason } = condition
  return status !== 'True' && reason ? `${status} (${reason})` : status
}
