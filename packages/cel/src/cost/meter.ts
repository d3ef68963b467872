/** Thrown to end an evaluation that costs more than its limit. */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}

/** Counts the cost of an evaluation, and ends the evaluation beyond a limit. */
export class Meter {
  readonly #limit: number
  #cost = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get cost(): number {
    return this.#cost
  }

  charge(cost: number): void {
    this.#cost += cost
    if (this.#cost > this.#limit) throw new CostLimitExceeded()
  }
}
