import {
  apiVersionOf,
  HomeostatError,
  type AnyKind,
  type KubernetesList,
  type KubernetesObject,
  type ObjectKey,
  type Status,
} from '@homeostat/api'
import { linkSignals } from '../transport/link-signals.ts'
import { applyObject } from './apply-object.ts'
import { ApiError, isNotFound } from './api-error.ts'
import type { ClientCache } from './client-cache.ts'
import type { Client, DeleteOptions, ListOptions, Patch, RequestOptions, WriteOptions } from './client.ts'
import { deepFreeze } from './deep-freeze.ts'
import { listPages } from './list-pages.ts'
import { isStatus, observeAnswer, observeRemoval, observeRemovals } from './observe-answer.ts'
import { Requester, type RequesterOptions } from './requester.ts'
import { collectionPath, objectPath, requiredNamespace } from './route.ts'
import { selectorQuery } from './selector-query.ts'

export interface ClientOptions extends RequesterOptions {
  /** Who writes, in managed fields. Default: `homeostat`. */
  fieldManager?: string | undefined
  /**
   * Where reads go: with a cache all of them, waiting until it knows the kind's objects; without one the
   * server. Writes always go to the server.
   */
  cache?: ClientCache | undefined
}

const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/**
 * A client for one server as one user and one field manager. It is cheap: make one for each controller,
 * or for each reconcile. What it hands out is frozen, from a cache or not.
 */
export function createClient(options: ClientOptions): Client {
  const { cache } = options
  const fieldManager = options.fieldManager ?? 'homeostat'
  const requester = new Requester(options)

  async function read(kind: AnyKind, key: ObjectKey, request: RequestOptions = {}) {
    if (cache) {
      using linked = linkSignals(options.signal, request.signal)
      return await cache.get(kind, key, { signal: linked.signal })
    }
    try {
      return deepFreeze(
        await requester.json<KubernetesObject>({
          verb: 'get',
          kind,
          key,
          method: 'GET',
          path: objectPath(kind, key),
          signal: request.signal,
        }),
      )
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async function write(request: {
    verb: string
    kind: AnyKind
    key: { name?: string | undefined; namespace?: string | undefined }
    method: 'POST' | 'PUT' | 'PATCH'
    path: string
    body: unknown
    options?: WriteOptions | undefined
    query?: Record<string, string> | undefined
    contentType?: string | undefined
    subresource?: string | undefined
  }): Promise<KubernetesObject> {
    const { options: given, ...rest } = request
    const object = deepFreeze(
      await requester.json<KubernetesObject>({
        ...rest,
        query: {
          ...request.query,
          fieldManager: given?.fieldManager ?? fieldManager,
          ...(given?.dryRun && { dryRun: 'All' }),
        },
        signal: given?.signal,
      }),
    )
    if (cache && !given?.dryRun) observeAnswer(cache, request.kind, object)
    return object
  }

  function update(kind: AnyKind, object: KubernetesObject, given?: WriteOptions, subresource?: string) {
    return write({
      verb: 'update',
      kind,
      key: object.metadata,
      method: 'PUT',
      path: objectPath(kind, object.metadata, subresource),
      body: typed(kind, object),
      options: given,
      subresource,
    })
  }

  async function getOrThrow(kind: AnyKind, key: ObjectKey, request?: RequestOptions) {
    const object = await read(kind, key, request)
    if (object) return object
    throw new ApiError(notFoundStatus(kind, key), { verb: 'get', kind, key })
  }

  function patch(kind: AnyKind, key: ObjectKey, change: Patch, given?: WriteOptions, subresource?: string) {
    // An empty patch changes nothing, so nothing is sent.
    if (Object.keys(change.body).length === 0) return getOrThrow(kind, key, given)
    return write({
      verb: 'patch',
      kind,
      key,
      method: 'PATCH',
      path: objectPath(kind, key, subresource),
      body: change.body,
      contentType: PATCH_TYPES[change.type],
      options: given,
      subresource,
    })
  }

  const applyContext = { read, write, fieldManager, transport: options.transport }

  async function remove(kind: AnyKind, key: ObjectKey, given: DeleteOptions = {}): Promise<boolean> {
    try {
      const answer = await requester.json<Status | KubernetesObject>({
        verb: 'delete',
        kind,
        key,
        method: 'DELETE',
        path: objectPath(kind, key),
        body: deleteOptions(given),
        signal: given.signal,
      })
      if (cache && !given.dryRun) observeRemoval(cache, kind, key, answer)
      return true
    } catch (error) {
      if (isNotFound(error)) return false
      throw error
    }
  }

  async function removeAll(kind: AnyKind, given: ListOptions & DeleteOptions = {}): Promise<void> {
    const namespaces =
      kind.scope === 'Cluster' || given.namespace
        ? [given.namespace]
        : await namespacesOf(requester, kind, given)
    for (const namespace of namespaces) {
      const answer = await requester.json<Status | KubernetesList>({
        verb: 'deletecollection',
        kind,
        key: { namespace },
        method: 'DELETE',
        path: collectionPath(kind, namespace),
        query: selectorQuery(given),
        body: deleteOptions(given),
        signal: given.signal,
      })
      if (!cache || given.dryRun || isStatus(answer)) continue
      const { items: left } = await listPages(requester, kind, { ...given, namespace })
      observeRemovals(cache, kind, answer.items ?? [], left)
    }
  }

  const client = {
    get: read,
    getOrThrow,
    async list(kind: AnyKind, given: ListOptions = {}) {
      if (cache) {
        using linked = linkSignals(options.signal, given.signal)
        return await cache.list(kind, { ...given, signal: linked.signal })
      }
      const { items } = await listPages(requester, kind, given)
      return items.map((item) => deepFreeze(item))
    },
    async create(kind: AnyKind, object: KubernetesObject, given?: WriteOptions) {
      return write({
        verb: 'create',
        kind,
        key: object.metadata,
        method: 'POST',
        path: collectionPath(kind, requiredNamespace(kind, object.metadata.namespace)),
        body: typed(kind, object),
        options: given,
      })
    },
    async update(kind: AnyKind, object: KubernetesObject, given?: WriteOptions) {
      return update(kind, object, given)
    },
    async patch(kind: AnyKind, key: ObjectKey, change: Patch, given?: WriteOptions) {
      return patch(kind, key, change, given)
    },
    async apply(kind: AnyKind, object: KubernetesObject, given?: WriteOptions & { force?: boolean }) {
      return applyObject(applyContext, kind, object.metadata, typed(kind, object), given)
    },
    delete: remove,
    deleteAllOf: removeAll,
    status: {
      async update(kind: AnyKind, object: KubernetesObject, given?: WriteOptions) {
        return update(kind, object, given, 'status')
      },
      async patch(kind: AnyKind, key: ObjectKey, change: Patch, given?: WriteOptions) {
        return patch(kind, key, change, given, 'status')
      },
      async apply(kind: AnyKind, key: ObjectKey, status: object, given?: WriteOptions & { force?: boolean }) {
        const { name, namespace } = key
        const document = { ...typed(kind, {}), metadata: { name, ...(namespace && { namespace }) }, status }
        return applyObject(applyContext, kind, key, document, given, 'status')
      },
    },
  }
  // The contract's types depend on the kind that is given; what runs is the same for all of them.
  return client as unknown as Client
}

/** The object with the name of its kind, which callers may leave out. */
function typed(kind: AnyKind, object: object): object {
  const { apiVersion = apiVersionOf(kind), kind: name = kind.kind } = object as Partial<KubernetesObject>
  if (name !== kind.kind || apiVersion !== apiVersionOf(kind)) {
    throw new HomeostatError(
      'CLIENT_KIND_MISMATCH',
      `an object that says it is a ${name} of ${apiVersion} was given as a ${kind.kind} of ${apiVersionOf(kind)}. Give the kind that it is, or leave apiVersion and kind out.`,
    )
  }
  return { apiVersion, kind: name, ...object }
}

function deleteOptions(options: DeleteOptions): object | undefined {
  const { propagation, gracePeriodSeconds, preconditions, dryRun } = options
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

/** A server deletes a collection in one namespace at a time. */
async function namespacesOf(
  requester: Requester,
  kind: AnyKind,
  options: ListOptions,
): Promise<(string | undefined)[]> {
  const { items } = await listPages(requester, kind, options)
  return [...new Set(items.map((item) => item.metadata.namespace))]
}

function notFoundStatus(kind: AnyKind, key: ObjectKey): Status {
  const resource = kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'NotFound',
    code: 404,
    message: `${resource} "${key.name}" not found`,
    details: { name: key.name, group: kind.group, kind: kind.plural },
  }
}
