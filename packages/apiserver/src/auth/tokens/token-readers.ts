import type { TokenReader, TokenReading } from '../access/authenticate.ts'
import type { ServiceAccountTokens } from './service-account-tokens.ts'
import { authenticated, type User } from '../access/user.ts'

const UNKNOWN = 'invalid bearer token'

/** Reads the configured tokens of users, then those of ServiceAccounts. */
export function tokenReader(
  users: ReadonlyMap<string, User>,
  serviceAccounts: ServiceAccountTokens,
): TokenReader {
  return async (token, audiences = serviceAccounts.audiences): Promise<TokenReading> => {
    const user = users.get(token)
    if (user) {
      // Such a token is valid for this server's audience only.
      const shared = serviceAccounts.audiences.filter((one) => audiences.includes(one))
      return shared.length > 0 ? { user: authenticated(user), audiences: shared } : { problem: UNKNOWN }
    }
    const reading = await serviceAccounts.read(token, audiences)
    if (reading?.problem !== undefined) return { problem: `[${UNKNOWN}, ${reading.problem}]` }
    return reading ?? { problem: UNKNOWN }
  }
}
