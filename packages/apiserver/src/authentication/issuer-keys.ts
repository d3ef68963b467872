import type { Clock, Timer } from '@homeostat/api'
import { isObject, textOf } from '../schema/index.ts'
import type { FetchDocument } from './fetch-document.ts'
import { isSignedByOne, type SignedToken, type WebKey } from './json-web-token.ts'

/** How long after a failure the issuer is asked again. */
const RETRY = 10_000

/** Where the documents of an issuer are. */
export interface IssuerPlace {
  readonly url: string
  /** Empty for the usual place below the URL. */
  readonly discoveryUrl: string
}

/**
 * The public keys of an issuer. Its discovery document is read when the server starts, and again until that succeeds. The keys are
 * read when a token first needs them, and again for a token that none of them has signed: an issuer may change its keys.
 */
export class IssuerKeys implements Disposable {
  readonly #place: IssuerPlace
  readonly #fetch: FetchDocument
  readonly #clock: Clock
  #keysUrl: string | undefined
  #keys: readonly WebKey[] = []
  #reading: Promise<void> | undefined
  #retry: Timer | undefined
  #closed = false
  readonly #discovered = Promise.withResolvers<void>()

  constructor(place: IssuerPlace, fetch: FetchDocument, clock: Clock) {
    this.#place = place
    this.#fetch = fetch
    this.#clock = clock
    void this.#discover()
  }

  /** Whether the issuer has said where its keys are. */
  get isReady(): boolean {
    return this.#keysUrl !== undefined
  }

  /** Resolves when the issuer has said it. */
  get ready(): Promise<void> {
    return this.#discovered.promise
  }

  /** Whether a key of the issuer has signed the token. Fails where the keys cannot be read. */
  async hasSigned(token: SignedToken): Promise<boolean> {
    if (await isSignedByOne(token, this.#keys)) return true
    // Tokens that come at the same time wait for the same answer.
    await (this.#reading ??= this.#readKeys().finally(() => (this.#reading = undefined)))
    return isSignedByOne(token, this.#keys)
  }

  [Symbol.dispose](): void {
    this.#closed = true
    this.#retry?.cancel()
  }

  async #discover(): Promise<void> {
    const { url, discoveryUrl } = this.#place
    try {
      const place = discoveryUrl || `${url.replace(/\/$/, '')}/.well-known/openid-configuration`
      const document = await this.#fetch(place)
      const { issuer, jwks_uri: keys } = isObject(document) ? document : {}
      if (issuer === url && typeof keys === 'string' && keys !== '') {
        this.#keysUrl = keys
        this.#discovered.resolve()
        return
      }
    } catch {
      // Until the issuer answers, its tokens are refused, which says that it is not initialized.
    }
    if (!this.#closed) this.#retry = this.#clock.schedule(RETRY, () => void this.#discover())
  }

  async #readKeys(): Promise<void> {
    const document = await this.#fetch(textOf(this.#keysUrl ?? ''))
    const { keys } = isObject(document) ? document : {}
    this.#keys = Array.isArray(keys) ? keys.filter(isObject) : []
  }
}
