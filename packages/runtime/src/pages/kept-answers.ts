import type { Clock } from '@homeostat/api'

/** Answers that hold for a while, at most so many of them: the oldest go first. */
export class KeptAnswers<A> {
  readonly #clock: Clock
  readonly #most: number
  readonly #answers = new Map<string, { readonly answer: A; readonly until: number }>()
  readonly #asking = new Map<string, Promise<A>>()

  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#most = most
  }

  /**
   * The answer that is kept, or that `ask` gives; `holds` says for how many milliseconds. Those who ask the same at
   * the same time share one question. A failure is not kept.
   */
  async get(question: string, ask: () => Promise<A>, holds: (answer: A) => number): Promise<A> {
    const kept = this.#answers.get(question)
    if (kept && kept.until > this.#clock.monotonic()) return kept.answer
    const asked = this.#asking.get(question)
    if (asked) return asked
    const asking = ask()
    this.#asking.set(question, asking)
    try {
      const answer = await asking
      this.#answers.delete(question)
      this.#answers.set(question, { answer, until: this.#clock.monotonic() + holds(answer) })
      const [oldest] = this.#answers.keys()
      if (this.#answers.size > this.#most && oldest !== undefined) this.#answers.delete(oldest)
      return answer
    } finally {
      this.#asking.delete(question)
    }
  }
}
