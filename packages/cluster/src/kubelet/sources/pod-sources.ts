import type { ConfigMap, Secret } from '@homeostat/api/kinds'

/** Which token a volume wants. */
export interface TokenWanted {
  /** Default: the API server's own. */
  readonly audience?: string | undefined
  readonly expirationSeconds: number
}

/** A token of a ServiceAccount. */
export interface IssuedToken {
  readonly token: string
  /** In milliseconds since 1970. */
  readonly expires: number
}

/** The sources of one Pod's volumes and variables. All names are of its own namespace. */
export interface PodSources {
  configMap(name: string): Promise<ConfigMap | undefined>
  secret(name: string): Promise<Secret | undefined>
  /** A new token of the Pod's ServiceAccount, bound to the Pod. Fails where the server gives none. */
  token(wanted: TokenWanted): Promise<IssuedToken>
  /** The folder of this machine that a claim is bound to. Throws a `PodProblem` while it is bound to none. */
  claim(name: string): Promise<string>
}
