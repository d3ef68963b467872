import { checkOptionNames, type AnyKind, type ObjectKey } from '@homeostat/api'
import type {
  Patch,
  RequestOptions,
  SubresourceAnswer,
  SubresourceClient,
  WriteOptions,
} from './interface/client.ts'
import type { ClientInternals } from './client-internals.ts'
import { WRITE_OPTIONS } from './option-names.ts'
import { nameOf, objectPath } from '../requests/index.ts'

/** Reads and writes one subresource of objects. */
export class ObjectSubresource implements SubresourceClient {
  readonly #client: ClientInternals
  readonly #name: string

  constructor(client: ClientInternals, name: string) {
    this.#client = client
    this.#name = name
  }

  async get(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<SubresourceAnswer | undefined> {
    return this.#client.live.part<SubresourceAnswer>(kind, key, this.#name, options)
  }

  async create(
    kind: AnyKind,
    key: ObjectKey,
    body: object,
    options?: WriteOptions,
  ): Promise<SubresourceAnswer> {
    checkOptionNames(options, WRITE_OPTIONS)
    return this.#client.writer.write<SubresourceAnswer>({
      verb: 'create',
      kind,
      key,
      method: 'POST',
      path: objectPath(kind, key, this.#name),
      body: named(key, body),
      options,
      subresource: this.#name,
    })
  }

  async update(
    kind: AnyKind,
    key: ObjectKey,
    body: object,
    options?: WriteOptions,
  ): Promise<SubresourceAnswer> {
    checkOptionNames(options, WRITE_OPTIONS)
    return this.#client.writer.replace<SubresourceAnswer>(kind, key, named(key, body), options, this.#name)
  }

  async patch(
    kind: AnyKind,
    key: ObjectKey,
    change: Patch,
    options?: WriteOptions,
  ): Promise<SubresourceAnswer> {
    checkOptionNames(options, WRITE_OPTIONS)
    return this.#client.writer.patch<SubresourceAnswer>(kind, key, change, options, this.#name)
  }
}

/** The body with the name of the object that it is for. */
function named(key: ObjectKey, body: object): object {
  const metadata = 'metadata' in body && typeof body.metadata === 'object' ? body.metadata : undefined
  return { ...body, metadata: { ...nameOf(key), ...metadata } }
}
