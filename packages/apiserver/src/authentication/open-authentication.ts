import type { Clock } from '@homeostat/api'
import { fromBase64Url, type TokenReading } from '../auth/index.ts'
import { isObject } from '../schema/index.ts'
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
}

const decoder = new TextDecoder()

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
    allowsAnonymous: (path) => (typeof anonymous === 'string' ? anonymous === 'all' : anonymous.has(path)),
    [Symbol.dispose]() {
      for (const { keys } of opened) keys[Symbol.dispose]()
    },
  }
}

/** The issuer that a token names, before its signature is verified. */
function issuerOf(token: string): string | undefined {
  const parts = token.split('.')
  const bytes = parts.length === 3 ? fromBase64Url(parts[1] ?? '') : undefined
  if (!bytes) return undefined
  try {
    const claims: unknown = JSON.parse(decoder.decode(bytes))
    const { iss } = isObject(claims) ? claims : {}
    return typeof iss === 'string' ? iss : undefined
  } catch {
    return undefined
  }
}
