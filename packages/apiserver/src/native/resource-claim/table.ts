import { AGE, age, column, NAME, nameOf } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

export const resourceClaimPrinter: Printer = {
  columns: [NAME, column('State'), AGE],
  cells: (object, now) => [nameOf(object), claimState(object), age(object, now)],
}

function claimState({ metadata, status }: PrintedObject): string {
  const deleted = Boolean(metadata?.deletionTimestamp)
  const states = deleted ? ['deleted'] : []
  if (status?.allocation) {
    states.push('allocated')
    if ((status.reservedFor ?? []).length > 0) states.push('reserved')
  } else if (!deleted) {
    states.push('pending')
  }
  return states.join(',')
}
