import type { AnyKind, KubernetesObject, ObjectKey } from '@homeostat/api'
import type { Patch, RequestOptions, WriteOptions } from './client.ts'
import type { WholeClient } from './whole-client.ts'
import { objectPath } from '../requests/index.ts'
import { nameOf } from './typed-object.ts'

/** Reads and writes one subresource of objects. */
export class ObjectSubresource {
  readonly #client: WholeClient
  readonly #name: string

  constructor(client: WholeClient, name: string) {
    this.#client = client
    this.#name = name
  }

  async get(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<KubernetesObject | undefined> {
    return this.#client.live.get(kind, key, options, this.#name)
  }

  async create(
    kind: AnyKind,
    key: ObjectKey,
    body: object,
    options?: WriteOptions,
  ): Promise<KubernetesObject> {
    return this.#client.writer.write({
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
  ): Promise<KubernetesObject> {
    return this.#client.writer.replace(kind, key, named(key, body), options, this.#name)
  }

  async patch(
    kind: AnyKind,
    key: ObjectKey,
    change: Patch,
    options?: WriteOptions,
  ): Promise<KubernetesObject> {
    return this.#client.writer.patch(kind, key, change, options, this.#name)
  }
}

/** The body with the name of the object that it is for. */
function named(key: ObjectKey, body: object): object {
  const { metadata } = body as { metadata?: object }
  return { ...body, metadata: { ...nameOf(key), ...metadata } }
}
