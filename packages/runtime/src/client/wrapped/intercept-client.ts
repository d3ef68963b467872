import type { AnyKind } from '@homeostat/api'
import { WRITE_LISTENER, writeListenerOf, type WriteListener } from '../../apply/index.ts'
import type { Client } from '../interface/client.ts'

/** One call of a client. */
export interface ClientCall {
  /** The client's method: `get`, `apply`, `status.apply`, `live.list`; of a subresource `eviction.create`. */
  readonly method: string
  readonly kind: AnyKind
  /** The other arguments besides the kind: a key or an object, then a patch if there is one, then options. */
  readonly args: readonly unknown[]
}

/**
 * Intercepts the calls of a client. It may observe a call, change it, answer it itself, or fail; `next` passes the
 * call, or another one, to the client.
 */
export type Interceptor = (call: ClientCall, next: (call?: ClientCall) => Promise<any>) => Promise<any>

/**
 * A client whose calls all go through a function first: for tests that make a request fail, for a log of writes,
 * for additional rules. Discovery (`client.kinds`) is not intercepted.
 */
export function interceptClient<I>(client: Client<I>, intercept: Interceptor): Client<I> {
  const call = <K extends AnyKind, A extends readonly unknown[], R>(
    method: string,
    kind: K,
    args: A,
    send: (kind: K, ...args: A) => R | Promise<R>,
  ): Promise<R> => {
    const given = { method, kind, args }
    return intercept(given, async (changed = given) => {
      // The interceptor is responsible for arguments that fit the method.
      const asked = changed as typeof given
      return send(asked.kind, ...asked.args)
    })
  }
  const intercepted: Client<I> & { readonly [WRITE_LISTENER]: WriteListener | undefined } = {
    get: (kind, ...args) => call('get', kind, args, (kind, ...args) => client.get(kind, ...args)),
    getOrThrow: (kind, ...args) =>
      call('getOrThrow', kind, args, (kind, ...args) => client.getOrThrow(kind, ...args)),
    list: (kind, ...args) => call('list', kind, args, (kind, ...args) => client.list(kind, ...args)),
    create: (kind, ...args) => call('create', kind, args, (kind, ...args) => client.create(kind, ...args)),
    update: (kind, ...args) => call('update', kind, args, (kind, ...args) => client.update(kind, ...args)),
    patch: (kind, ...args) => call('patch', kind, args, (kind, ...args) => client.patch(kind, ...args)),
    apply: (kind, ...args) => call('apply', kind, args, (kind, ...args) => client.apply(kind, ...args)),
    delete: (kind, ...args) => call('delete', kind, args, (kind, ...args) => client.delete(kind, ...args)),
    deleteAllOf: (kind, ...args) =>
      call('deleteAllOf', kind, args, (kind, ...args) => client.deleteAllOf(kind, ...args)),
    status: {
      update: (kind, ...args) =>
        call('status.update', kind, args, (kind, ...args) => client.status.update(kind, ...args)),
      patch: (kind, ...args) =>
        call('status.patch', kind, args, (kind, ...args) => client.status.patch(kind, ...args)),
      apply: (kind, ...args) =>
        call('status.apply', kind, args, (kind, ...args) => client.status.apply(kind, ...args)),
    },
    scale: {
      get: (kind, ...args) =>
        call('scale.get', kind, args, (kind, ...args) => client.scale.get(kind, ...args)),
      update: (kind, ...args) =>
        call('scale.update', kind, args, (kind, ...args) => client.scale.update(kind, ...args)),
      apply: (kind, ...args) =>
        call('scale.apply', kind, args, (kind, ...args) => client.scale.apply(kind, ...args)),
    },
    live: {
      get: (kind, ...args) => call('live.get', kind, args, (kind, ...args) => client.live.get(kind, ...args)),
      getOrThrow: (kind, ...args) =>
        call('live.getOrThrow', kind, args, (kind, ...args) => client.live.getOrThrow(kind, ...args)),
      list: (kind, ...args) =>
        call('live.list', kind, args, (kind, ...args) => client.live.list(kind, ...args)),
    },
    subresource: (name) => {
      const part = client.subresource(name)
      return {
        get: (kind, ...args) => call(`${name}.get`, kind, args, (kind, ...args) => part.get(kind, ...args)),
        create: (kind, ...args) =>
          call(`${name}.create`, kind, args, (kind, ...args) => part.create(kind, ...args)),
        update: (kind, ...args) =>
          call(`${name}.update`, kind, args, (kind, ...args) => part.update(kind, ...args)),
        patch: (kind, ...args) =>
          call(`${name}.patch`, kind, args, (kind, ...args) => part.patch(kind, ...args)),
      }
    },
    async *pages(kind, ...args) {
      yield* await call('pages', kind, args, (kind, ...args) => client.pages(kind, ...args))
    },
    kinds: client.kinds,
    [WRITE_LISTENER]: writeListenerOf(client),
  }
  return intercepted
}
