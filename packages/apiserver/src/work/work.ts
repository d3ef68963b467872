/** Ends a computation that takes more than the turn of the event loop that it has. */
export class OverBudget extends Error {
  constructor() {
    super('the computation takes longer than one turn of the event loop may')
  }
}

/** What the computation under way may still spend. Infinity where nothing limits it. */
let left = Infinity

/**
 * Runs a synchronous computation that may be long, and ends it with {@link OverBudget} when it has spent more than
 * `steps`. A step is about as long as checking one small value. So a computation is tried where it is, and what proves
 * to be long can be done where it stops nothing else.
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

/** Counts steps of the computation under way. */
export function spend(steps: number): void {
  if ((left -= steps) < 0) throw new OverBudget()
}

/** How many steps the computation under way may still take. */
export function stepsLeft(): number {
  return left
}
