import { apiVersionOf, type AnyKind, type Kind } from '@homeostat/api'

/** The kinds that a server is known to serve, kept until a request shows that it no longer serves one. */
export class KnownKinds {
  readonly #kinds: Map<string, Kind>

  /** `kinds` is a map that all clients of the server share. */
  constructor(kinds: Map<string, Kind>) {
    this.#kinds = kinds
  }

  get(apiVersion: string, kind: string): Kind | undefined {
    return this.#kinds.get(`${apiVersion} ${kind}`)
  }

  add(kind: Kind): void {
    this.#kinds.set(`${apiVersionOf(kind)} ${kind.kind}`, kind)
  }

  /** Forgets a kind: it may be served again with another plural or scope. */
  forget(kind: AnyKind): void {
    this.#kinds.delete(`${apiVersionOf(kind)} ${kind.kind}`)
  }
}
