import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

export const priorityLevelConfigurationPrinter: Printer = {
  columns: [
    NAME,
    column('Type'),
    column('NominalConcurrencyShares'),
    column('Queues'),
    column('HandSize'),
    column('QueueLengthLimit'),
    AGE,
  ],
  cells(object, now) {
    const limited: PrintedObject | undefined = object.spec?.limited
    const queuing: PrintedObject | undefined = limited?.limitResponse?.queuing
    return [
      nameOf(object),
      object.spec?.type ?? '',
      limited?.nominalConcurrencyShares ?? '<none>',
      queuing?.queues ?? '<none>',
      queuing?.handSize ?? '<none>',
      queuing?.queueLengthLimit ?? '<none>',
      age(object, now),
    ]
  },
}
