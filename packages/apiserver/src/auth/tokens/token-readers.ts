import type { TokenReader, TokenReading } from '../access/authenticate.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'
import { authenticated, type User } from '../access/user.ts'

const UNKNOWN = 'invalid bearer token'

/**
 * Finds the user of a token; undefined for tokens that it does not know. A reading without audiences is valid for those of this
 * server.
 */
export type OtherTokens = (token: string, audiences: readonly string[]) => Promise<TokenReading | undefined>

/** Reads the configured tokens of users, then those of ServiceAccounts, then those of others. */
export function tokenReader(
  users: ReadonlyMap<string, User>,
  serviceAccounts: ServiceAccountTokens,
  others: readonly OtherTokens[] = [],
): TokenReader {
  return async (token, audiences = serviceAccounts.audiences): Promise<TokenReading> => {
    const user = users.get(token)
    if (user) return forThisServer({ user: authenticated(user) }, audiences)
    const reading = await serviceAccounts.read(token, audiences)
    if (reading?.user) return reading
    const problems = reading?.problem === undefined ? [] : [reading.problem]
    for (const read of others) {
      const found = await read(token, audiences)
      if (found?.user) return found.audiences ? found : forThisServer(found, audiences)
      if (found?.problem !== undefined) problems.push(found.problem)
    }
    return { problem: problems.length === 0 ? UNKNOWN : `[${[UNKNOWN, ...problems].join(', ')}]` }
  }

  /** A token without audiences is valid only for the audiences of this server. */
  function forThisServer(reading: TokenReading, audiences: readonly string[]): TokenReading {
    const shared = audiences.filter((one) => serviceAccounts.audiences.includes(one))
    return shared.length > 0 ? { ...reading, audiences: shared } : { problem: UNKNOWN }
  }
}
