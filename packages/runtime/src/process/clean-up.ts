/** What must be undone in the end, last first. One that fails does not keep the others from being undone. */
export class CleanUp implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = []

  /** Adds a step, which may be asynchronous. */
  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  /** Disposes of the thing in the end, and gives it back. */
  use<T extends Disposable | AsyncDisposable>(thing: T): T {
    this.add(() => (Symbol.asyncDispose in thing ? thing[Symbol.asyncDispose]() : thing[Symbol.dispose]()))
    return thing
  }

  /** Undoes everything; rejects with the first failure when all of it is done. */
  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = []
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        await step()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
