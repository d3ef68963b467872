import { HomeostatError, type Clock } from '@homeostat/api'
import type { TokenReading } from '../auth/index.ts'
import { TemporaryProblem } from '../configuration/index.ts'
import { equalJson, objectOf } from '../schema/index.ts'
import type { Authentication } from './open-authentication.ts'

/** How long new issuers may take to say where their keys are. */
const LONGEST_WAIT = 60_000

/** Authenticates by a configuration that can be replaced while requests come. */
export class ReloadableAuthentication implements Authentication {
  readonly #open: (configuration: unknown) => Authentication
  readonly #anonymous: unknown
  readonly #clock: Clock
  readonly #closed = Promise.withResolvers<never>()
  #current: Authentication

  /** Fails where `open` fails. */
  constructor(configuration: unknown, open: (configuration: unknown) => Authentication, clock: Clock) {
    this.#open = open
    this.#clock = clock
    this.#anonymous = anonymousOf(configuration)
    this.#current = open(configuration)
    this.#closed.promise.catch(() => undefined)
  }

  get ready(): Promise<unknown> {
    return this.#current.ready
  }

  read(token: string): Promise<TokenReading | undefined> {
    return this.#current.read(token)
  }

  allowsAnonymous(path: string): boolean {
    return this.#current.allowsAnonymous(path)
  }

  /**
   * Authenticates by another configuration as soon as all its issuers have answered. Fails with
   * `AUTHENTICATION_CONFIGURATION_INVALID` if the configuration is invalid or changes what anonymous requests may do, and
   * with a `TemporaryProblem` if an issuer does not answer in time. After a failure the former configuration stays in effect.
   */
  async replace(configuration: unknown): Promise<void> {
    const next = this.#open(configuration)
    try {
      if (!equalJson(anonymousOf(configuration), this.#anonymous)) {
        throw new HomeostatError(
          'AUTHENTICATION_CONFIGURATION_INVALID',
          'the AuthenticationConfiguration is invalid: anonymous: Forbidden: changed from initial configuration file',
        )
      }
      await this.#withinTime(next.ready)
    } catch (error) {
      next[Symbol.dispose]()
      throw error
    }
    this.#current[Symbol.dispose]()
    this.#current = next
  }

  /** Also ends a replacement that is under way, which then fails. */
  [Symbol.dispose](): void {
    this.#closed.reject(new HomeostatError('SERVER_CLOSED', 'the server was closed'))
    this.#current[Symbol.dispose]()
  }

  async #withinTime(ready: Promise<unknown>): Promise<void> {
    const late = Promise.withResolvers<never>()
    using _ = this.#clock.schedule(LONGEST_WAIT, () =>
      late.reject(
        new TemporaryProblem(
          'AUTHENTICATION_ISSUER_SILENT',
          'an issuer of the new AuthenticationConfiguration does not say where its keys are: check that its URL is reachable',
        ),
      ),
    )
    await Promise.race([ready, late.promise, this.#closed.promise])
  }
}

function anonymousOf(configuration: unknown): unknown {
  return objectOf(configuration)['anonymous'] ?? null
}
