import type { Clock } from '@homeostat/api'
import { PodProblem } from './pod-problem.ts'
import type { IssuedToken, PodSources, TokenWanted } from './pod-sources.ts'

/** The remaining share of its lifetime at which a token is replaced; in any case after a day. */
const LEFT_AT_REFRESH = 0.2
const LONGEST_USE = 24 * 3_600_000
/** So that the tokens of Pods that started together are not all replaced at one moment. */
const LARGEST_JITTER = 10_000
/** When to retry replacing a token that is still valid. */
const RETRY = 60_000

interface Held extends IssuedToken {
  refreshAt: number
}

/** The ServiceAccount tokens of one Pod, each asked for once and replaced well before it expires. */
export class PodTokens {
  readonly #clock: Clock
  readonly #held = new Map<string, Held>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** When the next token must be replaced, in milliseconds since 1970. */
  get refreshAt(): number | undefined {
    const times = [...this.#held.values()].map(({ refreshAt }) => refreshAt)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  async get(wanted: TokenWanted, sources: Pick<PodSources, 'token'>): Promise<string> {
    const key = JSON.stringify([wanted.audience, wanted.expirationSeconds])
    const held = this.#held.get(key)
    const asked = this.#clock.now()
    if (held && asked < held.refreshAt) return held.token
    try {
      const issued = await sources.token(wanted)
      const jitter = this.#clock.random() * LARGEST_JITTER
      const period = Math.min((issued.expires - asked) * (1 - LEFT_AT_REFRESH), LONGEST_USE)
      this.#held.set(key, { ...issued, refreshAt: asked + Math.max(0, period - jitter) })
      return issued.token
    } catch (error) {
      if (held && asked < held.expires) {
        held.refreshAt = asked + RETRY
        return held.token
      }
      // The text comes from the API server and does not contain the token.
      throw new PodProblem(`failed to fetch token: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
