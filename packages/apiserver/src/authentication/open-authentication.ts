import type { Clock } from '@homeostat/api'
import { claimsOf, type TokenReading } from '../auth/index.ts'
import { readConfiguration } from './authentication-configuration.ts'
import { fetchOverHttps } from './fetch-document.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { ALGORITHMS } from './json-web-token.ts'
import { JwtAuthenticator } from './jwt-authenticator.ts'

/** Authenticates requests by the configuration of a server. */
export interface Authentication extends Disposable {
  /** The user of a token of a configured issuer. Undefined for other tokens. */
  read(token: string): Promise<TokenReading | undefined>
  /** Whether requests without credentials may ask for a path. */
  allowsAnonymous(path: string): boolean
  /** Resolves when all issuers have said where their keys are. */
  readonly ready: Promise<unknown>
}

/**
 * Reads an AuthenticationConfiguration and begins to ask its issuers for their keys. No issuer may be one of `reserved`, whose tokens
 * the server itself signs. Fails with `AUTHENTICATION_CONFIGURATION_INVALID`.
 */
export function openAuthentication(
  configuration: unknown,
  options: {
    readonly reserved: readonly string[]
    readonly clock: Clock
    /** The algorithms of signatures that are accepted. Default: all that are known. */
    readonly algorithms?: readonly string[] | undefined
  },
): Authentication {
  const { reserved, clock, algorithms = ALGORITHMS } = options
  const { issuers, anonymous } = readConfiguration(configuration, reserved)
  const opened = issuers.map((issuer) => {
    const keys = new IssuerKeys(issuer, fetchOverHttps(issuer.certificateAuthority), clock)
    return { keys, authenticator: new JwtAuthenticator(issuer, keys, algorithms, clock) }
  })
  return {
    async read(token) {
      const issuer = issuerOf(token)
      if (issuer === undefined) return undefined
      for (const { authenticator } of opened) {
        const reading = await authenticator.read(token, issuer)
        if (reading) return reading
      }
      return undefined
    },
    ready: Promise.all(opened.map(({ keys }) => keys.ready)),
    allowsAnonymous: (path) => (typeof anonymous === 'string' ? anonymous === 'all' : anonymous.has(path)),
    [Symbol.dispose]() {
      for (const { keys } of opened) keys[Symbol.dispose]()
    },
  }
}

/** The issuer that a token names, before its signature is verified. */
function issuerOf(token: string): string | undefined {
  const issuer = claimsOf(token)?.['iss']
  return typeof issuer === 'string' ? issuer : undefined
}
