import {
  checkOptionNames,
  type AnyKind,
  type KubernetesList,
  type KubernetesObject,
  type ObjectKey,
  type Status,
} from '@homeostat/api'
import {
  collectionPath,
  isNotFound,
  listPages,
  objectPath,
  type Requester,
  selectorQuery,
} from '../requests/index.ts'
import type { WriteListener } from '../apply/index.ts'
import type { ClientCache } from './client-cache.ts'
import type { DeleteOptions, ListOptions } from './interface/client.ts'
import { DELETE_ALL_OPTIONS, DELETE_OPTIONS, PRECONDITIONS } from './option-names.ts'
import { isStatus, observeRemoval, observeRemovals } from './observe-answer.ts'

/** Deletes one object or all selected ones, and reports the results to the cache. */
export class ObjectRemover {
  readonly #requester: Requester
  readonly #defaults: { readonly dryRun?: boolean | undefined }
  readonly #cache: ClientCache | undefined
  readonly #listener: WriteListener

  constructor(
    requester: Requester,
    defaults: { readonly dryRun?: boolean | undefined },
    cache: ClientCache | undefined,
    listener: WriteListener,
  ) {
    this.#requester = requester
    this.#defaults = defaults
    this.#cache = cache
    this.#listener = listener
  }

  async delete(kind: AnyKind, key: ObjectKey, options: DeleteOptions = {}): Promise<boolean> {
    checkOptionNames(options, DELETE_OPTIONS)
    checkOptionNames(options.preconditions, PRECONDITIONS)
    const before = this.#cache?.peek?.(kind, key)
    const tell = (error?: unknown): void => {
      if (!this.#isDryRun(options)) this.#listener.onWrite?.({ verb: 'delete', kind, key, before, error })
    }
    try {
      const answer = await this.#requester.json<Status | KubernetesObject>({
        verb: 'delete',
        kind,
        key,
        method: 'DELETE',
        path: objectPath(kind, key),
        body: this.#body(options),
        signal: options.signal,
      })
      if (this.#cache && !this.#isDryRun(options)) observeRemoval(this.#cache, kind, key, answer)
      tell()
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      tell(error)
      throw error
    }
  }

  async deleteAllOf(kind: AnyKind, options: ListOptions & DeleteOptions = {}): Promise<void> {
    checkOptionNames(options, DELETE_ALL_OPTIONS)
    checkOptionNames(options.preconditions, PRECONDITIONS)
    const namespaces =
      kind.scope === 'Cluster' || options.namespace
        ? [options.namespace]
        : await this.#namespacesOf(kind, options)
    for (const namespace of namespaces) {
      const answer = await this.#requester.json<Status | KubernetesList>({
        verb: 'deletecollection',
        kind,
        key: { namespace },
        method: 'DELETE',
        path: collectionPath(kind, namespace),
        query: selectorQuery(options),
        body: this.#body(options),
        signal: options.signal,
      })
      if (!this.#isDryRun(options))
        this.#listener.onWrite?.({ verb: 'deletecollection', kind, key: { namespace } })
      if (!this.#cache || this.#isDryRun(options) || isStatus(answer)) continue
      const { items: left } = await listPages(this.#requester, kind, { ...options, namespace })
      observeRemovals(this.#cache, kind, answer.items ?? [], left)
    }
  }

  /** A server deletes a collection in one namespace at a time. */
  async #namespacesOf(kind: AnyKind, options: ListOptions): Promise<(string | undefined)[]> {
    const { items } = await listPages(this.#requester, kind, options)
    return [...new Set(items.map((item) => item.metadata.namespace))]
  }

  #isDryRun(options: DeleteOptions): boolean {
    return options.dryRun ?? this.#defaults.dryRun ?? false
  }

  #body(options: DeleteOptions): object | undefined {
    const { propagation, gracePeriodSeconds, preconditions } = options
    const dryRun = this.#isDryRun(options)
    if (!propagation && gracePeriodSeconds === undefined && !preconditions && !dryRun) return undefined
    return {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: propagation,
      gracePeriodSeconds,
      preconditions,
      ...(dryRun && { dryRun: ['All'] }),
    }
  }
}
