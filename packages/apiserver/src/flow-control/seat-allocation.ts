/** The share of a server's seats that a priority level may use. */
export interface SeatClaim {
  readonly lower: number
  readonly upper: number
  /** The seats that it could use; at least `lower`. */
  readonly target: number
}

/** The least target, so that a level without demand still takes part. */
const LEAST_TARGET = 0.001

/**
 * Divides seats among priority levels in proportion to their targets, within the limits of each. Undefined where no division
 * within these limits has this sum.
 */
export function allocateSeats(sum: number, claims: readonly SeatClaim[]): readonly number[] | undefined {
  const share = fairShare(sum, claims)
  return share === undefined ? undefined : claims.map((claim) => seatsAt(share, claim))
}

/** The multiple of its target that each level gets, where its limits allow it. */
export function fairShare(sum: number, claims: readonly SeatClaim[]): number | undefined {
  const total = (share: number): number => claims.reduce((seats, claim) => seats + seatsAt(share, claim), 0)
  const bounds = claims
    .flatMap((claim) => [claim.lower / targetOf(claim), claim.upper / targetOf(claim)])
    .sort((a, b) => a - b)
  const [first, last] = [bounds.at(0), bounds.at(-1)]
  if (first === undefined || last === undefined || total(first) > sum || total(last) < sum) return undefined
  // Between two neighbouring bounds the total grows evenly.
  let low = first
  for (const high of bounds) {
    const [atLow, atHigh] = [total(low), total(high)]
    if (atHigh >= sum) return atHigh === atLow ? low : low + ((high - low) * (sum - atLow)) / (atHigh - atLow)
    low = high
  }
  return last
}

function targetOf({ target }: SeatClaim): number {
  return Math.max(target, LEAST_TARGET)
}

function seatsAt(share: number, claim: SeatClaim): number {
  return Math.max(claim.lower, Math.min(claim.upper, share * targetOf(claim)))
}
