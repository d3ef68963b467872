/** Ends an evaluation that costs more than it may. */
export class CostLimitExceeded extends Error {
  constructor() {
    super('operation cancelled: actual cost limit exceeded')
  }
}

/** Counts what an evaluation costs, and ends it where that is too much. */
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
