/** The resources of a start, which are closed in reverse order, each even if another fails to close. */
export class Closing implements AsyncDisposable {
  #steps: (() => Promise<void>)[] = []

  /** Registers a resource to be closed, and returns it. */
  use<T extends AsyncDisposable>(thing: T): T {
    this.add(async () => thing[Symbol.asyncDispose]())
    return thing
  }

  add(step: () => Promise<void>): void {
    this.#steps.push(step)
  }

  /** Moves all resources to a new instance, which is returned. This one then closes nothing. */
  move(): Closing {
    const other = new Closing()
    other.#steps = this.#steps
    this.#steps = []
    return other
  }

  /** Closes everything. Rejects with the first failure after all have been closed. */
  async close(): Promise<void> {
    const failures: unknown[] = []
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      await step().catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
