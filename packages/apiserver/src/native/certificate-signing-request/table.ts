import { AGE, age, column, NAME, nameOf, shortDuration } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'
import { conditionOf } from '../table-cells/table-cells.ts'

export const certificateSigningRequestPrinter: Printer = {
  columns: [
    NAME,
    AGE,
    column('SignerName'),
    column('Requestor'),
    column('RequestedDuration'),
    column('Condition'),
  ],
  cells(object, now) {
    const seconds: number | undefined = object.spec?.expirationSeconds
    return [
      nameOf(object),
      age(object, now),
      object.spec?.signerName || '<none>',
      object.spec?.username ?? '',
      seconds === undefined ? '<none>' : shortDuration(seconds * 1_000),
      requestState(object.status ?? {}),
    ]
  },
}

/** `Denied` takes precedence over `Approved`; `Failed` and `Issued` are appended. */
function requestState({ conditions, certificate }: PrintedObject): string {
  const has = (type: string) => conditionOf(conditions, type) !== undefined
  const decided = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  return `${decided}${has('Failed') ? ',Failed' : ''}${certificate ? ',Issued' : ''}`
}
