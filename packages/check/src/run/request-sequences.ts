import type { Outcome } from '../world/index.ts'

/** Which requests the runs of a chunk have sent after which others, with which answers. */
export class RequestSequences {
  readonly #known = new Set<string>()

  /** Begins with what the operator does undisturbed. */
  constructor(undisturbed: Pick<Outcome, 'requests'>) {
    this.add(undisturbed)
  }

  /** Adds a run. Returns whether a request of it came after another one as in no run before, or had another answer there. */
  add({ requests }: Pick<Outcome, 'requests'>): boolean {
    const { size } = this.#known
    let before = ''
    for (const { method, path, code, isWatch } of requests) {
      if (isWatch) continue
      const sent = `${method} ${path} ${code}`
      this.#known.add(`${before} → ${sent}`)
      before = sent
    }
    return this.#known.size > size
  }
}
