/** The user who sends a request. */
export interface User {
  readonly name: string
  readonly groups: readonly string[]
  readonly uid?: string | undefined
  /** Further attributes of the user, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The group whose members may do everything, regardless of roles. */
export const MASTERS = 'system:masters'
/** The group of all authenticated users. */
export const AUTHENTICATED = 'system:authenticated'
/** The group of all unauthenticated users. */
export const UNAUTHENTICATED = 'system:unauthenticated'

/** The user of callers in the server's own process and of a port's token. It may do everything. */
export const ADMIN: User = { name: 'homeostat-admin', groups: [MASTERS, AUTHENTICATED] }

/** The user of requests without credentials. */
export const ANONYMOUS: User = { name: 'system:anonymous', groups: [UNAUTHENTICATED] }

/** The user with the group of authenticated users. */
export function authenticated(user: User): User {
  if (user.name === ANONYMOUS.name) return user
  const { groups } = user
  if (groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED)) return user
  return { ...user, groups: [...groups, AUTHENTICATED] }
}
