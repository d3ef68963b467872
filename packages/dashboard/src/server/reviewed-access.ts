import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { HomeostatError, isJsonObject, type Clock } from '@homeostat/api'
import { createClient, type AccessReviews, type Logger, type ReviewedUser, type Transport } from 'homeostat'
import type { ReadableRecording } from '../recording/index.ts'
import { foreignRefusal } from './foreign-refusal.ts'
import { readBody } from './read-body.ts'
import type { Access, Refusal, Viewer } from './viewer.ts'

/** The path that a user must be allowed to `get` to see the page. */
export const PAGE_PATH = '/page'

/** How long a session lasts that is not used, in milliseconds. */
const SESSION_HOLDS = 8 * 3_600_000
const MOST_SESSIONS = 1000
/** The age of an answer about a user with which an open stream goes on, in milliseconds. */
const STREAM_MAX_AGE = 5000
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export interface ReviewedAccessOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly reviews: AccessReviews
  readonly canWrite: boolean
  readonly isSecure: boolean
  /** Names besides those of loopback. */
  readonly hosts: readonly string[]
  readonly connectAs: (token: string) => Promise<Transport | undefined>
  /** The part of the recording that a user may read. */
  readonly readableBy: (user: ReviewedUser) => ReadableRecording
}

/** A browser in which a user has signed in. */
interface Session {
  readonly token: string
  readonly ended: AbortController
  usedAt: number
}

/**
 * Lets in users whom the API server knows by their token and allows to `get` `/page`. A browser signs in with the token once and then
 * shows a cookie; a program sends the token with each request. The API server is asked again while they use the page, and
 * what they change is sent with their own token.
 */
export class ReviewedAccess implements Access {
  readonly hasPublicFiles = true
  readonly #options: ReviewedAccessOptions
  readonly #hosts: ReadonlySet<string>
  readonly #sessions = new Map<string, Session>()

  constructor(options: ReviewedAccessOptions) {
    this.#options = options
    this.#hosts = new Set([...LOOPBACK, ...options.hosts])
  }

  refuseForeign(request: IncomingMessage): Refusal | undefined {
    const { host = '' } = request.headers
    const name = host.replace(/:\d+$/, '').toLowerCase()
    return foreignRefusal(request, {
      isOwnHost: this.#hosts.has(name) || this.#hosts.has(host),
      origins: new Set([`http://${host}`, `https://${host}`]),
      hint: 'This page is not served under this name: add it to the option hosts of operatorPage.',
    })
  }

  async enter(request: IncomingMessage, { pathname }: URL, response: ServerResponse): Promise<boolean> {
    if (request.method !== 'POST' || (pathname !== '/sign-in' && pathname !== '/sign-out')) return false
    if (pathname === '/sign-out') {
      this.#end(sessionOf(request) ?? '')
      response.setHeader('set-cookie', this.#cookie(request, '', 0))
      response.writeHead(204).end()
      return true
    }
    const token = await tokenIn(request)
    const viewer = token === undefined ? UNKNOWN : await this.#viewer(token)
    if ('status' in viewer || token === undefined) {
      const { status, message, reason } = 'status' in viewer ? viewer : UNKNOWN
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message, reason }))
      return true
    }
    const id = randomBytes(24).toString('base64url')
    const usedAt = this.#options.clock.monotonic()
    this.#sessions.set(id, { token, usedAt, ended: new AbortController() })
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#end(oldest)
    response.setHeader('set-cookie', this.#cookie(request, id))
    response.writeHead(204).end()
    return true
  }

  async viewerOf(request: IncomingMessage): Promise<Viewer | Refusal> {
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token !== undefined) return this.#viewer(token)
    const session = this.#session(sessionOf(request))
    if (!session) return UNKNOWN
    const viewer = await this.#viewer(session.token)
    // The user may have signed out meanwhile.
    if ('status' in viewer || session.ended.signal.aborted) return 'status' in viewer ? viewer : UNKNOWN
    return {
      ...viewer,
      signedOut: session.ended.signal,
      // A session whose page is open is used.
      isAllowed: async () => this.#session(sessionOf(request)) !== undefined && viewer.isAllowed(),
    }
  }

  async #viewer(token: string, age: { readonly maxAge?: number } = {}): Promise<Viewer | Refusal> {
    const { reviews, logger, canWrite, clock, connectAs, readableBy } = this.#options
    try {
      const user = await reviews.userOf(token, age)
      if (!user) return UNKNOWN
      const { username: name = '' } = user
      if (!(await reviews.allows(user, { verb: 'get', path: PAGE_PATH }, age)))
        return {
          status: 403,
          message: `${name} may not get ${PAGE_PATH}: a ClusterRole must allow it.`,
          reason: { type: 'not-allowed', user: name },
        }
      return {
        name,
        canWrite,
        readable: readableBy(user),
        isAllowed: async () => !('status' in (await this.#viewer(token, { maxAge: STREAM_MAX_AGE }))),
        withClient: async (use) => {
          await using transport = await connectAs(token)
          if (!transport)
            throw new HomeostatError(
              'PAGE_TRANSPORT',
              'the manager was given a transport of its own, so the page cannot send requests as you: use kubectl',
            )
          return await use(createClient({ transport, clock, fieldManager: 'homeostat-page' }))
        },
      }
    } catch (error) {
      logger.error({ error }, 'the API server could not be asked who may see the page, so it is refused')
      return {
        status: 500,
        message: 'The API server could not be asked who may see the page: the log says why.',
        reason: { type: 'no-answer' },
      }
    }
  }

  #session(id: string | undefined): Session | undefined {
    const session = this.#sessions.get(id ?? '')
    if (!session || id === undefined) return undefined
    const now = this.#options.clock.monotonic()
    if (now - session.usedAt > SESSION_HOLDS) {
      this.#end(id)
      return undefined
    }
    session.usedAt = now
    return session
  }

  /** Ends a session and the streams that it opened. */
  #end(id: string): void {
    this.#sessions.get(id)?.ended.abort()
    this.#sessions.delete(id)
  }

  #cookie(request: IncomingMessage, value: string, age?: number): string {
    const parts = [`${cookieName(request)}=${value}`, 'HttpOnly', 'SameSite=Strict', 'Path=/']
    if (this.#options.isSecure) parts.push('Secure')
    if (age !== undefined) parts.push(`Max-Age=${age}`)
    return parts.join('; ')
  }
}

const UNKNOWN: Refusal = {
  status: 401,
  message: 'The API server does not know this token.',
  reason: { type: 'unknown-token' },
}

/** Cookies do not tell ports apart, and several operators may be forwarded to one machine. */
function cookieName({ headers }: IncomingMessage): string {
  return `homeostat-page-${/:(\d+)$/.exec(headers.host ?? '')?.[1] ?? 'default'}`
}

function sessionOf(request: IncomingMessage): string | undefined {
  const name = cookieName(request)
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}

async function tokenIn(request: IncomingMessage): Promise<string | undefined> {
  try {
    const body: unknown = JSON.parse((await readBody(request)) ?? '')
    const token = isJsonObject(body) ? body['token'] : undefined
    return typeof token === 'string' ? token.trim() : undefined
  } catch {
    return undefined
  }
}
