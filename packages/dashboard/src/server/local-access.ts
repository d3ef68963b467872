import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Client } from 'homeostat'
import { foreignRefusal } from './foreign-refusal.ts'
import type { Access, Refusal, Viewer } from './viewer.ts'

/**
 * Decides which requests are answered: only those of this page, in a browser that was opened with the printed
 * address. Another site cannot send one: its Origin differs, and the browser does not send the cookie with
 * it. A host name that another site has pointed to this machine is refused by the Host header.
 */
export class LocalAccess implements Access {
  readonly hasPublicFiles = false
  readonly #client: Client
  readonly #token = randomBytes(24).toString('base64url')
  readonly #origins: ReadonlySet<string>
  readonly #hosts: ReadonlySet<string>
  readonly #cookie: string
  /** Lets one browser in, once. */
  #single: string | undefined

  constructor({ port, client }: { readonly port: number; readonly client: Client }) {
    this.#client = client
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
    this.#hosts = new Set(hosts)
    this.#origins = new Set(hosts.map((host) => `http://${host}`))
    // Cookies do not tell ports apart.
    this.#cookie = `homeostat-page-${port}`
  }

  /** The part of the address that lets a browser in. */
  get token(): string {
    return this.#token
  }

  /**
   * A token that works once. It is for an address that other users of the machine may see, for example in a
   * list of processes.
   */
  singleToken(): string {
    return (this.#single = randomBytes(24).toString('base64url'))
  }

  /** The cookie to set for a request whose address has a token; nothing for any other. */
  #cookieFor(token: string | null): string | undefined {
    if (token === null) return undefined
    if (this.#single !== undefined && isSame(token, this.#single)) this.#single = undefined
    else if (!isSame(token, this.#token)) return undefined
    return `${this.#cookie}=${this.#token}; HttpOnly; SameSite=Strict; Path=/`
  }

  refuseForeign(request: IncomingMessage): Refusal | undefined {
    return foreignRefusal(request, {
      isOwnHost: this.#hosts.has(request.headers.host ?? ''),
      origins: this.#origins,
      hint: 'This page is only served under its own address on this machine.',
    })
  }

  async enter(
    { method }: IncomingMessage,
    { pathname, searchParams }: URL,
    response: ServerResponse,
  ): Promise<boolean> {
    if (method !== 'GET' || pathname !== '/') return false
    const cookie = this.#cookieFor(searchParams.get('token'))
    if (cookie === undefined) return false
    // Not a redirect: a browser that was sent here by another site would not show the cookie to it.
    response.setHeader('set-cookie', cookie).setHeader('refresh', '0; url=/')
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('Opening the page.\n')
    return true
  }

  async viewerOf({ headers }: IncomingMessage): Promise<Viewer | Refusal> {
    const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
    const value = cookies
      .find((cookie) => cookie.startsWith(`${this.#cookie}=`))
      ?.slice(this.#cookie.length + 1)
    if (value !== undefined && isSame(value, this.#token)) {
      const client = this.#client
      return { canWrite: true, isAllowed: async () => true, withClient: (use) => use(client) }
    }
    return {
      status: 401,
      message:
        'Open this page with the whole address that was printed in the terminal. It is valid until the program ends.',
    }
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
