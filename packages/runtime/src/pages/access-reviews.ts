import type { Clock } from '@homeostat/api'
import { SubjectAccessReview, TokenReview } from '@homeostat/api/kinds'
import type { Client } from '../client/index.ts'
import { KeptAnswers } from './kept-answers.ts'

/** A user, as the API server describes it. */
export interface ReviewedUser {
  readonly username?: string | undefined
  readonly uid?: string | undefined
  readonly groups?: readonly string[] | undefined
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

/** A right to check: to a path of the server, or to the objects of a resource. */
export type ReviewedAccess =
  | { readonly verb: string; readonly path: string }
  | {
      readonly verb: string
      readonly group: string
      readonly resource: string
      /** Default: all namespaces. */
      readonly namespace?: string | undefined
    }

export interface AnswerAge {
  /**
   * The greatest age of a cached answer, in milliseconds: the API server is asked again for an older one. If the API
   * server does not answer, the cached answer is used.
   */
  readonly maxAge?: number | undefined
}

const TOKEN_HOLDS = 60_000
const ALLOWED_HOLDS = 300_000
const DENIED_HOLDS = 30_000
const MOST_KEPT = 1_000
const TIMEOUT = 10_000
/** The longest token that is sent to the API server: no valid one is longer than a header may be. */
const LONGEST_TOKEN = 16_384

/**
 * Asks the API server which user a token belongs to, and what a user may do. It caches the answers: users for a
 * minute, granted rights for five minutes, denied rights for half a minute. Tokens are remembered as digests only.
 * Both methods reject when the API server does not answer.
 */
export class AccessReviews {
  readonly #client: Client
  readonly #clock: Clock
  readonly #users: KeptAnswers<ReviewedUser | undefined>
  readonly #allowed: KeptAnswers<boolean>

  constructor({ client, clock }: { client: Client; clock: Clock }) {
    this.#client = client
    this.#clock = clock
    this.#users = new KeptAnswers(clock, MOST_KEPT)
    this.#allowed = new KeptAnswers(clock, MOST_KEPT)
  }

  /** The user of a bearer token; nothing for a token that the server does not know. */
  async userOf(token: string, { maxAge }: AnswerAge = {}): Promise<ReviewedUser | undefined> {
    if (token.length > LONGEST_TOKEN) return undefined
    return this.#users.get(await digest(token), () => this.#reviewToken(token), {
      holds: () => TOKEN_HOLDS,
      maxAge,
    })
  }

  /** Whether the server grants the user this access. */
  allows(user: ReviewedUser, access: ReviewedAccess, { maxAge }: AnswerAge = {}): Promise<boolean> {
    return this.#allowed.get(JSON.stringify([user, access]), () => this.#reviewAccess(user, access), {
      holds: (answer) => (answer ? ALLOWED_HOLDS : DENIED_HOLDS),
      maxAge,
    })
  }

  async #reviewToken(token: string): Promise<ReviewedUser | undefined> {
    const review = await this.#within((signal) =>
      this.#client.create(TokenReview, { metadata: {}, spec: { token } }, { signal }),
    )
    return review.status?.authenticated ? (review.status.user ?? {}) : undefined
  }

  async #reviewAccess(user: ReviewedUser, access: ReviewedAccess): Promise<boolean> {
    const spec = {
      user: user.username,
      uid: user.uid,
      groups: user.groups && [...user.groups],
      extra:
        user.extra &&
        Object.fromEntries(Object.entries(user.extra).map(([name, values]) => [name, [...values]])),
      ...('path' in access ? { nonResourceAttributes: access } : { resourceAttributes: access }),
    }
    const review = await this.#within((signal) =>
      this.#client.create(SubjectAccessReview, { metadata: {}, spec }, { signal }),
    )
    return (review.status?.allowed ?? false) && !review.status?.denied
  }

  async #within<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController()
    using _ = this.#clock.schedule(TIMEOUT, () =>
      limit.abort(new Error(`the API server did not answer within ${TIMEOUT} ms`)),
    )
    return await ask(limit.signal)
  }
}

async function digest(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return String.fromCharCode(...new Uint8Array(bytes))
}
