import type { AnyKind } from '@homeostat/api'
import type { Client } from './client.ts'
import { WRITE_LISTENER, writeListenerOf } from '../apply/index.ts'

/** One call of a client. */
export interface ClientCall {
  /** The client's method: `get`, `apply`, `status.apply`, `live.list`; of a subresource `eviction.create`. */
  readonly method: string
  readonly kind: AnyKind
  /** What was given besides the kind: a key or an object, then a patch where there is one, then options. */
  readonly args: readonly unknown[]
}

/**
 * Stands before the calls of a client. It may look on, change what is asked, answer itself, or fail; `next` asks the
 * client, with the call as it was or with another one.
 */
export type Interceptor = (call: ClientCall, next: (call?: ClientCall) => Promise<any>) => Promise<any>

const READS = ['get', 'getOrThrow', 'list'] as const
const WRITES = ['create', 'update', 'patch', 'apply', 'delete', 'deleteAllOf'] as const

/**
 * A client all of whose calls go through a function first: for tests that want a request to fail, for a log of what is
 * written, for rules of one's own. Discovery (`client.kinds`) is left alone.
 */
export function interceptClient(client: Client, intercept: Interceptor): Client {
  const around = (part: object, prefix: string, methods: readonly string[]): object => {
    const called = part as Record<string, (...args: unknown[]) => Promise<unknown>>
    const entries = methods.map((name) => {
      const method = (kind: AnyKind, ...args: unknown[]): Promise<unknown> => {
        const call: ClientCall = { method: `${prefix}${name}`, kind, args }
        return intercept(call, async (changed = call) => called[name]!(changed.kind, ...changed.args))
      }
      return [name, method] as const
    })
    return Object.fromEntries(entries)
  }
  async function* pages(kind: AnyKind, ...args: unknown[]) {
    const call: ClientCall = { method: 'pages', kind, args }
    const next = async (changed = call) => client.pages(changed.kind, changed.args[0] as never)
    yield* (await intercept(call, next)) as AsyncIterable<never>
  }
  const intercepted = {
    ...around(client, '', [...READS, ...WRITES]),
    status: around(client.status, 'status.', ['update', 'patch', 'apply']),
    scale: around(client.scale, 'scale.', ['get', 'update', 'apply']),
    live: around(client.live, 'live.', READS),
    subresource: (name: string) =>
      around(client.subresource(name), `${name}.`, ['get', 'create', 'update', 'patch']),
    pages,
    kinds: client.kinds,
    [WRITE_LISTENER]: writeListenerOf(client),
  }
  return intercepted as unknown as Client
}
