import { AGE, age, column, NAME, nameOf, type Printer, type Stored } from './printer.ts'

/** Kinds of which only the age is worth a column. */
export const plainPrinter: Printer = {
  columns: [NAME, AGE],
  cells: (object, now) => [nameOf(object), age(object, now)],
}

export const resourceClaimPrinter: Printer = {
  columns: [NAME, column('State'), AGE],
  cells: (object, now) => [nameOf(object), claimState(object), age(object, now)],
}

function claimState({ metadata, status }: Stored): string {
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

export const resourceSlicePrinter: Printer = {
  columns: [NAME, column('Node'), column('Driver'), column('Pool'), AGE],
  cells: (object, now) => [
    nameOf(object),
    object.spec?.nodeName ?? '',
    object.spec?.driver ?? '',
    object.spec?.pool?.name ?? '',
    age(object, now),
  ],
}
