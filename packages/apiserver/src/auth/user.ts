/** Who sends a request. */
export interface User {
  readonly name: string
  readonly groups: readonly string[]
  readonly uid?: string | undefined
}

/** May do everything: who calls the server inside its own process, and the bearer of a port's token. */
export const ADMIN: User = { name: 'homeostat-admin', groups: ['system:masters', 'system:authenticated'] }

/** Who says nothing about who they are. */
export const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }
