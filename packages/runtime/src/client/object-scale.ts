import { apiVersionOf, type AnyKind, type KubernetesObject, type ObjectKey } from '@homeostat/api'
import { reportTaken } from './apply-object.ts'
import type { ApplyOptions, RequestOptions, WriteOptions } from './client.ts'
import type { WholeClient } from './whole-client.ts'
import { applyMatches, writeListenerOf } from '../apply/index.ts'
import { objectPath } from '../requests/index.ts'
import { replicasOf, scaleDocument } from './scale-object.ts'

/** Reads and writes how many replicas objects have. */
export class ObjectScale {
  readonly #client: WholeClient

  constructor(client: WholeClient) {
    this.#client = client
  }

  async get(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<KubernetesObject | undefined> {
    return this.#client.live.get(kind, key, options, 'scale')
  }

  async update(kind: AnyKind, scale: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject> {
    return this.#client.writer.replace(kind, scale.metadata, scale, options, 'scale')
  }

  async apply(
    kind: AnyKind,
    key: ObjectKey,
    { replicas }: { replicas: number },
    options: ApplyOptions = {},
  ): Promise<KubernetesObject> {
    const manager = options.fieldManager ?? this.#client.fieldManager
    const applier = { manager, apiVersion: apiVersionOf(kind), subresource: 'scale' }
    const object = await this.#client.get(kind, key, options)
    const desired = replicasOf(kind, replicas)
    if (object && applyMatches(object, desired, applier)) {
      const unchanged = await this.get(kind, key, options)
      if (unchanged) return unchanged
    }
    const scale = await this.#client.writer.write({
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
