import type { Clock } from '@homeostat/api'
import { SubjectAccessReview, TokenReview } from '@homeostat/api/kinds'
import type { Client } from '../client/index.ts'
import { messageOf } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/index.ts'
import { KeptAnswers } from './kept-answers.ts'
import type { Page, PageAnswer, PageRequest } from './page.ts'

/** The user of a request, as the API server identifies it. */
interface UserInfo {
  readonly username?: string | undefined
  readonly uid?: string | undefined
  readonly groups?: readonly string[] | undefined
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

const TOKEN_HOLDS = 60_000
const ALLOWED_HOLDS = 300_000
const DENIED_HOLDS = 30_000
const MOST_KEPT = 1_000
const ANSWER_TIMEOUT = 10_000
/** The longest token that is sent to the API server. A valid token fits into a header. */
const LONGEST_TOKEN = 16_384

/**
 * Serves a page only to users that the API server allows: the user of the bearer token must be allowed to
 * `get` the page's path. Tokens are remembered as digests only.
 */
export class PageAccess {
  readonly #client: Client
  readonly #clock: Clock
  readonly #log: Logger
  readonly #users: KeptAnswers<UserInfo | undefined>
  readonly #allowed: KeptAnswers<boolean>

  constructor(options: { client: Client; clock: Clock; logger: Logger }) {
    this.#client = options.client
    this.#clock = options.clock
    this.#log = options.logger
    this.#users = new KeptAnswers(options.clock, MOST_KEPT)
    this.#allowed = new KeptAnswers(options.clock, MOST_KEPT)
  }

  /** The page, for readers that are allowed to read it. Others get 401 or 403; all get 500 if the API server does not answer. */
  guard(page: Page): Page {
    return async (request) => (await this.#refusal(request)) ?? page(request)
  }

  async #refusal({ method, path, authorization }: PageRequest): Promise<PageAnswer | undefined> {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
    if (token === undefined || token.length > LONGEST_TOKEN) return UNAUTHORIZED
    let user: UserInfo | undefined
    try {
      user = await this.#users.get(
        await digest(token),
        () => this.#userOf(token),
        () => TOKEN_HOLDS,
      )
    } catch (error) {
      return this.#failed('whose token it is', error)
    }
    if (!user) return UNAUTHORIZED
    try {
      const verb = method.toLowerCase()
      const allowed = await this.#allowed.get(
        JSON.stringify([user, verb, path]),
        () => this.#mayRead(user, verb, path),
        (answer) => (answer ? ALLOWED_HOLDS : DENIED_HOLDS),
      )
      if (allowed) return undefined
      this.#log.debug({ user: user.username, path }, 'a page was refused')
      return { status: 403, body: `Forbidden: ${user.username} may not ${verb} ${path}.\n` }
    } catch (error) {
      return this.#failed('who may read it', error)
    }
  }

  async #userOf(token: string): Promise<UserInfo | undefined> {
    const review = await this.#within((signal) =>
      this.#client.create(TokenReview, { metadata: {}, spec: { token } }, { signal }),
    )
    return review.status?.authenticated ? (review.status.user ?? {}) : undefined
  }

  async #mayRead(user: UserInfo, verb: string, path: string): Promise<boolean> {
    const spec = {
      user: user.username,
      uid: user.uid,
      groups: user.groups && [...user.groups],
      extra:
        user.extra &&
        Object.fromEntries(Object.entries(user.extra).map(([name, values]) => [name, [...values]])),
      nonResourceAttributes: { verb, path },
    }
    const review = await this.#within((signal) =>
      this.#client.create(SubjectAccessReview, { metadata: {}, spec }, { signal }),
    )
    return (review.status?.allowed ?? false) && !review.status?.denied
  }

  #failed(what: string, error: unknown): PageAnswer {
    this.#log.error(
      { reason: messageOf(error) },
      `the API server could not be asked ${what}, so the page is refused`,
    )
    return { status: 500, body: `The API server could not be asked ${what}: the log says why.\n` }
  }

  async #within<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = new AbortController()
    using _ = this.#clock.schedule(ANSWER_TIMEOUT, () =>
      limit.abort(new Error(`the API server did not answer within ${ANSWER_TIMEOUT} ms`)),
    )
    return await ask(limit.signal)
  }
}

const UNAUTHORIZED: PageAnswer = {
  status: 401,
  headers: { 'www-authenticate': 'Bearer' },
  body: 'Unauthorized: send a bearer token that the API server knows.\n',
}

async function digest(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return String.fromCharCode(...new Uint8Array(bytes))
}
