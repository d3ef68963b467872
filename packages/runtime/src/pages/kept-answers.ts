import type { Clock } from '@homeostat/api'

/** Caches answers for a limited time and in a limited number; the oldest are dropped first. */
export class KeptAnswers<A> {
  readonly #clock: Clock
  readonly #most: number
  readonly #answers = new Map<
    string,
    { readonly answer: A; readonly askedAt: number; readonly until: number }
  >()
  readonly #asking = new Map<string, Promise<A>>()

  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#most = most
  }

  /**
   * The cached answer, or the one that `ask` returns; `holds` says for how many milliseconds it is cached. Concurrent
   * calls for the same question share one `ask`. A failure is not cached. A caller that needs an answer of the last `maxAge` milliseconds
   * gets an older one only if `ask` fails, and only while it is cached.
   */
  async get(
    question: string,
    ask: () => Promise<A>,
    { holds, maxAge = Infinity }: { holds: (answer: A) => number; maxAge?: number | undefined },
  ): Promise<A> {
    const now = this.#clock.monotonic()
    const kept = this.#answers.get(question)
    if (kept && kept.until > now && now - kept.askedAt < maxAge) return kept.answer
    try {
      return await this.#ask(question, ask, holds)
    } catch (error) {
      if (kept && kept.until > this.#clock.monotonic()) return kept.answer
      throw error
    }
  }

  async #ask(question: string, ask: () => Promise<A>, holds: (answer: A) => number): Promise<A> {
    const asked = this.#asking.get(question)
    if (asked) return asked
    const askedAt = this.#clock.monotonic()
    const asking = ask()
    this.#asking.set(question, asking)
    try {
      const answer = await asking
      this.#answers.delete(question)
      this.#answers.set(question, { answer, askedAt, until: this.#clock.monotonic() + holds(answer) })
      const [oldest] = this.#answers.keys()
      if (this.#answers.size > this.#most && oldest !== undefined) this.#answers.delete(oldest)
      return answer
    } finally {
      this.#asking.delete(question)
    }
  }
}
