import {
  apiVersionOf,
  checkOptionNames,
  type AnyKind,
  type DeepReadonly,
  type ObjectKey,
} from '@homeostat/api'
import { reportTaken } from './apply-object.ts'
import type { ApplyOptions, RequestOptions, Scale, ScaleClient, WriteOptions } from './interface/client.ts'
import type { ClientInternals } from './client-internals.ts'
import { APPLY_OPTIONS, WRITE_OPTIONS } from './option-names.ts'
import { applyMatches, writeListenerOf } from '../apply/index.ts'
import { checkKey, objectPath, replicasOf, scaleDocument } from '../requests/index.ts'

/** Reads and writes how many replicas objects have. */
export class ObjectScale implements ScaleClient {
  readonly #client: ClientInternals

  constructor(client: ClientInternals) {
    this.#client = client
  }

  async get(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<Scale | undefined> {
    return this.#client.live.part<Scale>(kind, key, 'scale', options)
  }

  async update(kind: AnyKind, scale: DeepReadonly<Scale>, options?: WriteOptions): Promise<Scale> {
    checkOptionNames(options, WRITE_OPTIONS)
    checkKey(kind, scale.metadata, 'object')
    return this.#client.writer.replace<Scale>(kind, scale.metadata, scale, options, 'scale')
  }

  async apply(
    kind: AnyKind,
    key: ObjectKey,
    { replicas }: { replicas: number },
    options: ApplyOptions = {},
  ): Promise<Scale> {
    checkOptionNames(options, APPLY_OPTIONS)
    // JavaScript takes `apply(kind, key, 5)` as well, which would apply no field at all.
    if (!Number.isInteger(replicas)) {
      throw new TypeError(
        `scale.apply of ${kind.kind} ${key.name} needs a whole number of replicas: give { replicas: 5 }, for example`,
      )
    }
    const { signal } = options
    const manager = options.fieldManager ?? this.#client.fieldManager
    const applier = { manager, apiVersion: apiVersionOf(kind), subresource: 'scale' }
    const object = await this.#client.get(kind, key, { signal })
    const desired = replicasOf(kind, replicas)
    if (object && applyMatches(object, desired, applier)) {
      const unchanged = await this.get(kind, key, { signal })
      if (unchanged) return unchanged
    }
    const scale = await this.#client.writer.write<Scale>({
      verb: 'apply',
      kind,
      key,
      method: 'PATCH',
      path: objectPath(kind, key, 'scale'),
      body: scaleDocument(key, replicas),
      contentType: 'application/apply-patch+yaml',
      query: (options.force ?? this.#client.force) ? { force: 'true' } : {},
      options,
      subresource: 'scale',
    })
    const isDryRun = options.dryRun ?? this.#client.dryRun
    if (object && !isDryRun) reportTaken(writeListenerOf(this.#client), kind, key, object, desired, manager)
    return scale
  }
}
