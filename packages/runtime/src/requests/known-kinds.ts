import { apiVersionOf, type AnyKind, type Kind } from '@homeostat/api'

/** The kinds that a server was found to serve, kept until a request finds one that it no longer does. */
export class KnownKinds {
  readonly #kinds: Map<string, Kind>

  /** Keeps them in a map that all clients of the server share. */
  constructor(kinds: Map<string, Kind>) {
    this.#kinds = kinds
  }

  get(apiVersion: string, kind: string): Kind | undefined {
    return this.#kinds.get(`${apiVersion} ${kind}`)
  }

  add(kind: Kind): void {
    this.#kinds.set(`${apiVersionOf(kind)} ${kind.kind}`, kind)
  }

  /** It may come back with another plural or scope. */
  forget(kind: AnyKind): void {
    this.#kinds.delete(`${apiVersionOf(kind)} ${kind.kind}`)
  }
}
