/** Ends a computation that exceeds its budget of steps. */
export class OverBudget extends Error {
  constructor() {
    super('the computation takes longer than one turn of the event loop may')
  }
}

/** The steps that the current computation may still take; Infinity without a limit. */
let left = Infinity

/**
 * Runs a synchronous computation, and ends it with {@link OverBudget} when it has taken more than `steps`. A step is
 * about as long as checking one small value. So a caller can try a computation in place, and run a long one in the
 * background.
 */
export function limited<T>(steps: number, compute: () => T): T {
  const before = left
  left = steps
  try {
    return compute()
  } finally {
    left = before
  }
}

/** Counts steps of the current computation. */
export function spend(steps: number): void {
  if ((left -= steps) < 0) throw new OverBudget()
}

/** How many steps the current computation may still take. */
export function stepsLeft(): number {
  return left
}
