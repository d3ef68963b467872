/** The user who sends a request. */
export interface User {
  readonly name: string
  readonly groups: readonly string[]
  readonly uid?: string | undefined
  /** Further attributes of the user, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

/** Whose members may do everything, whatever any role says. */
export const MASTERS = 'system:masters'
/** The group of all authenticated users. */
export const AUTHENTICATED = 'system:authenticated'
/** The group of all unauthenticated users. */
export const UNAUTHENTICATED = 'system:unauthenticated'

/** May do everything: who calls the server inside its own process, and the bearer of a port's token. */
export const ADMIN: User = { name: 'homeostat-admin', groups: [MASTERS, AUTHENTICATED] }

/** Who says nothing about who they are. */
export const ANONYMOUS: User = { name: 'system:anonymous', groups: [UNAUTHENTICATED] }

/** The user as one who said who they are. */
export function authenticated(user: User): User {
  if (user.name === ANONYMOUS.name) return user
  const { groups } = user
  if (groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED)) return user
  return { ...user, groups: [...groups, AUTHENTICATED] }
}
