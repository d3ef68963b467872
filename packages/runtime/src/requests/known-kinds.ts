import { apiVersionOf, type AnyKind, type Kind } from '@homeostat/api'
import type { Transport } from '../transport/index.ts'

const servers = new WeakMap<Transport, KnownKinds>()

/** The kinds that a server was found to serve, kept until a request finds one that it no longer does. */
export class KnownKinds {
  readonly #kinds = new Map<string, Kind>()

  /** One for each server, however many clients it has. */
  static of(transport: Transport): KnownKinds {
    let known = servers.get(transport)
    if (!known) servers.set(transport, (known = new KnownKinds()))
    return known
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
