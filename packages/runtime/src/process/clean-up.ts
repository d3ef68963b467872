/** Steps to run at the end, in reverse order. All steps run even if one fails. */
export class CleanUp implements AsyncDisposable {
  readonly #steps: (() => unknown)[] = []

  /** Adds a step, which may be asynchronous. */
  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  /** Disposes of the given value at the end, and returns it. */
  use<T extends Disposable | AsyncDisposable>(thing: T): T {
    this.add(() => (Symbol.asyncDispose in thing ? thing[Symbol.asyncDispose]() : thing[Symbol.dispose]()))
    return thing
  }

  /** Runs all steps, and then rejects with the first failure. */
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
