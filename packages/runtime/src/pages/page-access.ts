import type { Clock } from '@homeostat/api'
import type { Client } from '../client/index.ts'
import { messageOf } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/index.ts'
import { AccessReviews, type ReviewedUser } from './access-reviews.ts'
import type { Page, PageAnswer, PageRequest } from './page.ts'

/**
 * Serves a page only to users that the API server allows: the user of the bearer token must be allowed to
 * `get` the page's path.
 */
export class PageAccess {
  readonly #reviews: AccessReviews
  readonly #log: Logger

  constructor(options: { client: Client; clock: Clock; logger: Logger }) {
    this.#reviews = new AccessReviews(options)
    this.#log = options.logger
  }

  /** The page, for readers that are allowed to read it. Others get 401 or 403; all get 500 if the API server does not answer. */
  guard(page: Page): Page {
    return async (request) => (await this.#refusal(request)) ?? page(request)
  }

  async #refusal({ method, path, authorization }: PageRequest): Promise<PageAnswer | undefined> {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
    if (token === undefined) return UNAUTHORIZED
    let user: ReviewedUser | undefined
    try {
      user = await this.#reviews.userOf(token)
    } catch (error) {
      return this.#failed('whose token it is', error)
    }
    if (!user) return UNAUTHORIZED
    try {
      const verb = method.toLowerCase()
      if (await this.#reviews.allows(user, { verb, path })) return undefined
      this.#log.debug({ user: user.username, path }, 'a page was refused')
      return { status: 403, body: `Forbidden: ${user.username} may not ${verb} ${path}.\n` }
    } catch (error) {
      return this.#failed('who may read it', error)
    }
  }

  #failed(what: string, error: unknown): PageAnswer {
    this.#log.error(
      { reason: messageOf(error) },
      `the API server could not be asked ${what}, so the page is refused`,
    )
    return { status: 500, body: `The API server could not be asked ${what}: the log says why.\n` }
  }
}

const UNAUTHORIZED: PageAnswer = {
  status: 401,
  headers: { 'www-authenticate': 'Bearer' },
  body: 'Unauthorized: send a bearer token that the API server knows.\n',
}
