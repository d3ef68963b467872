import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
}

/**
 * Decides which requests are answered: those of this very page, in a browser that was opened with the printed address.
 * Another site cannot send one: its Origin differs, and the cookie does not go with it. A name that another site lets point to
 * this machine is refused by its Host.
 */
export class PageAccess {
  readonly #token = randomBytes(24).toString('base64url')
  readonly #origins: ReadonlySet<string>
  readonly #hosts: ReadonlySet<string>
  readonly #cookie: string
  /** Lets one browser in, once. */
  #single: string | undefined

  constructor(port: number) {
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

  /** A token that works once, for an address that other users of the machine may see, such as in a list of processes. */
  singleToken(): string {
    return (this.#single = randomBytes(24).toString('base64url'))
  }

  /** The cookie to set for a request whose address has a token; nothing for any other. */
  cookieFor(token: string | null): string | undefined {
    if (token === null) return undefined
    if (this.#single !== undefined && isSame(token, this.#single)) this.#single = undefined
    else if (!isSame(token, this.#token)) return undefined
    return `${this.#cookie}=${this.#token}; HttpOnly; SameSite=Strict; Path=/`
  }

  /** Whether a request comes from another site. It is checked before anything else. */
  refuseForeign({ headers, method }: IncomingMessage): Refusal | undefined {
    if (!this.#hosts.has(headers.host ?? ''))
      return { status: 403, message: 'This page is only served under its own address on this machine.' }
    const { origin } = headers
    const site = headers['sec-fetch-site']
    const isForeign =
      (origin !== undefined && !this.#origins.has(origin)) ||
      (method !== 'GET' && origin === undefined) ||
      site === 'cross-site' ||
      site === 'same-site'
    // A link in another page may open this one; it cannot read the answer.
    const isOpened = method === 'GET' && origin === undefined && headers['sec-fetch-mode'] === 'navigate'
    if (isForeign && !isOpened) return { status: 403, message: 'Other sites may not use this page.' }
    return undefined
  }

  /** Whether a request lacks the cookie. */
  refuseUnknown({ headers }: IncomingMessage): Refusal | undefined {
    const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
    const value = cookies
      .find((cookie) => cookie.startsWith(`${this.#cookie}=`))
      ?.slice(this.#cookie.length + 1)
    if (value !== undefined && isSame(value, this.#token)) return undefined
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
