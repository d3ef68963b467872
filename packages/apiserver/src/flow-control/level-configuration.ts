import type { ServerObject } from '../registry/index.ts'
import { isObject, objectOf, textOf } from '../schema/index.ts'
import type { LevelConfiguration, SeatBounds } from './priority-level.ts'

/** The content of a PriorityLevelConfiguration, with its share of the seats. */
export interface ReadLevel extends LevelConfiguration {
  readonly name: string
  readonly shares: number
  readonly lendablePercent: number
  /** Undefined where the level may borrow as many seats as there are. */
  readonly borrowingPercent: number | undefined
}

export function readLevel({ metadata, spec }: ServerObject): ReadLevel {
  const { type, limited, exempt } = objectOf(spec)
  const isExempt = type === 'Exempt'
  const part = objectOf(isExempt ? exempt : limited)
  const { queuing } = objectOf(part['limitResponse'])
  const borrowing = part['borrowingLimitPercent']
  return {
    name: metadata.name ?? '',
    uid: textOf(metadata['uid'] ?? ''),
    isExempt,
    shares: numberOf(part['nominalConcurrencyShares']),
    lendablePercent: numberOf(part['lendablePercent']),
    borrowingPercent: borrowing === undefined || borrowing === null ? undefined : numberOf(borrowing),
    queuing: isObject(queuing)
      ? {
          queues: numberOf(queuing['queues']),
          handSize: numberOf(queuing['handSize']),
          lengthLimit: numberOf(queuing['queueLengthLimit']),
        }
      : undefined,
  }
}

/** The part of the server's seats that a level gets. */
export function boundsOf(level: ReadLevel, seats: number, allShares: number): SeatBounds {
  const nominal = allShares === 0 ? 0 : Math.ceil((seats * level.shares) / allShares)
  const { borrowingPercent } = level
  const borrowed = borrowingPercent === undefined ? seats : Math.round((nominal * borrowingPercent) / 100)
  return {
    nominal,
    lower: nominal - Math.round((nominal * level.lendablePercent) / 100),
    upper: nominal + borrowed,
  }
}

function numberOf(value: unknown): number {
  return Number(value ?? 0)
}
