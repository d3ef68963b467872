import { failure } from '@homeostat/api'
import { Failure } from '../registry/failure.ts'
import { ANONYMOUS, type User } from './user.ts'

/** Finds the user of a bearer token; undefined when it is nobody's. */
export type TokenReader = (token: string) => User | undefined

/**
 * Who sends a request, by its bearer token. Without a token it is the anonymous user; with one that is
 * nobody's it is refused as a whole.
 */
export function authenticate(headers: Readonly<Record<string, string>>, read: TokenReader): User {
  const header = headers['authorization']
  if (!header) return ANONYMOUS
  const match = /^bearer +(\S+)$/i.exec(header.trim())
  const user = match?.[1] === undefined ? undefined : read(match[1])
  if (!user) throw new Failure(failure.unauthorized())
  return user
}
