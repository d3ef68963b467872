import {
  checkOptionNames,
  deepFreeze,
  type AnyKind,
  type KubernetesObject,
  type ObjectKey,
  type Status,
} from '@homeostat/api'
import {
  ApiError,
  isNotFound,
  listPages,
  objectPath,
  pagesOf,
  type Requester,
  resourceName,
} from '../requests/index.ts'
import type { ListOptions, PagesOptions, Reader, RequestOptions, ServerFields } from './interface/client.ts'
import { LIST_OPTIONS, PAGES_OPTIONS, READ_OPTIONS } from './option-names.ts'

/** Called for the reads of a client. */
export interface ReadListener {
  /** Called before each read, with the key of an object or without one for a list. */
  onRead?: ((kind: AnyKind, key: ObjectKey | undefined) => void) | undefined
}

/** Reads the server. It returns frozen objects. */
export class LiveReader implements Reader<ServerFields> {
  readonly #requester: Requester
  readonly #listener: ReadListener

  constructor(requester: Requester, listener: ReadListener = {}) {
    this.#requester = requester
    this.#listener = listener
  }

  async get(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<KubernetesObject | undefined> {
    return this.part<KubernetesObject>(kind, key, undefined, options)
  }

  /** A subresource of the object as the server returns it, or the object itself without a name of a subresource. */
  async part<T extends object>(
    kind: AnyKind,
    key: ObjectKey,
    subresource: string | undefined,
    options: RequestOptions = {},
  ): Promise<T | undefined> {
    checkOptionNames(options, READ_OPTIONS)
    this.#listener.onRead?.(kind, key)
    try {
      const object = await this.#requester.json<T>({
        verb: 'get',
        kind,
        key,
        method: 'GET',
        path: objectPath(kind, key, subresource),
        signal: options.signal,
        subresource,
      })
      return deepFreeze(object)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async getOrThrow(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<KubernetesObject> {
    const object = await this.get(kind, key, options)
    if (!object) throw notFound(kind, key)
    return object
  }

  async list(kind: AnyKind, options: ListOptions = {}): Promise<readonly KubernetesObject[]> {
    checkOptionNames(options, LIST_OPTIONS)
    this.#listener.onRead?.(kind, undefined)
    const { items } = await listPages(this.#requester, kind, options)
    return items.map((item) => deepFreeze(item))
  }

  async *pages(
    kind: AnyKind,
    options: PagesOptions = {},
  ): AsyncGenerator<readonly KubernetesObject[], void, undefined> {
    checkOptionNames(options, PAGES_OPTIONS)
    this.#listener.onRead?.(kind, undefined)
    for await (const { items } of pagesOf(this.#requester, kind, options, options.limit)) {
      yield items.map((item) => deepFreeze(item))
    }
  }
}

/** The answer of a server for a missing object. */
export function notFound(kind: AnyKind, key: ObjectKey): ApiError {
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'NotFound',
    code: 404,
    message: `${resourceName(kind)} "${key.name}" not found`,
    details: { name: key.name, group: kind.group, kind: kind.plural },
  }
  return new ApiError(status, { verb: 'get', kind, key })
}
