import { apiVersionOf, type AnyKind, type KubernetesObject, type ObjectKey } from '@homeostat/api'
import { linkSignals } from '../transport/link-signals.ts'
import { applyObject } from './apply-object.ts'
import type { ClientCache } from './client-cache.ts'
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  ListOptions,
  PagesOptions,
  Patch,
  RequestOptions,
  WriteOptions,
} from './client.ts'
import { LiveReader, notFound } from './live-reader.ts'
import { ObjectRemover } from './object-remover.ts'
import { ObjectWriter, type ObjectWrite, type WriteDefaults } from './object-writer.ts'
import { Requester, type RequesterOptions } from './requester.ts'
import { collectionPath, objectPath, requiredNamespace } from './route.ts'
import { scaleDocument, scaleMatches } from './scale-object.ts'
import { ServedKinds } from './served-kinds.ts'
import { typedObject } from './typed-object.ts'

export interface ClientOptions extends RequesterOptions, Partial<WriteDefaults> {
  /** Who writes, in managed fields. Default: `homeostat`. */
  fieldManager?: string | undefined
  /**
   * Where reads go: with a cache all of them, waiting until it knows the kind's objects; without one the
   * server. Writes always go to the server.
   */
  cache?: ClientCache | undefined
}

/**
 * A client for one server as one user and one field manager. It is cheap: make one for each controller,
 * or for each reconcile. What it hands out is frozen, from a cache or not.
 */
export function createClient(options: ClientOptions): Client {
  const { cache, transport } = options
  const fieldManager = options.fieldManager ?? 'homeostat'
  const requester = new Requester(options)
  const live = new LiveReader(requester)
  const writer = new ObjectWriter(requester, { ...options, fieldManager }, cache)
  const remover = new ObjectRemover(requester, options, cache)

  async function read(kind: AnyKind, key: ObjectKey, request: RequestOptions = {}) {
    if (!cache) return live.get(kind, key, request)
    if (!request.signal) return cache.get(kind, key, options) as Promise<KubernetesObject | undefined>
    using linked = linkSignals(options.signal, request.signal)
    return (await cache.get(kind, key, { signal: linked.signal })) as KubernetesObject | undefined
  }

  async function getOrThrow(kind: AnyKind, key: ObjectKey, request?: RequestOptions) {
    const object = await read(kind, key, request)
    if (!object) throw notFound(kind, key)
    return object
  }

  async function patch(kind: AnyKind, key: ObjectKey, change: Patch, given?: WriteOptions, part?: string) {
    // An empty patch changes nothing, so nothing is sent.
    if (Object.keys(change.body).length === 0) return getOrThrow(kind, key, given)
    return writer.patch(kind, key, change, given, part)
  }

  const applyContext = {
    transport,
    fieldManager,
    dryRun: options.dryRun,
    read,
    write: (request: ObjectWrite) => writer.write(request),
  }

  const status = {
    async update(kind: AnyKind, object: KubernetesObject, given?: WriteOptions) {
      return writer.replace(kind, object.metadata, typedObject(kind, object), given, 'status')
    },
    async patch(kind: AnyKind, key: ObjectKey, change: Patch, given?: WriteOptions) {
      return patch(kind, key, change, given, 'status')
    },
    async apply(kind: AnyKind, key: ObjectKey, value: object, given?: ApplyOptions) {
      const document = { ...typedObject(kind, {}), metadata: nameOf(key), status: value }
      return applyObject(applyContext, kind, key, document, given, 'status')
    },
  }

  const scale = {
    async get(kind: AnyKind, key: ObjectKey, request?: RequestOptions) {
      return live.get(kind, key, request, 'scale')
    },
    async update(kind: AnyKind, object: KubernetesObject, given?: WriteOptions) {
      return writer.replace(kind, object.metadata, object, given, 'scale')
    },
    async apply(kind: AnyKind, key: ObjectKey, { replicas }: { replicas: number }, given: ApplyOptions = {}) {
      const manager = given.fieldManager ?? fieldManager
      const applier = { manager, apiVersion: apiVersionOf(kind), subresource: 'scale' }
      const object = await read(kind, key, given)
      if (object && scaleMatches(kind, object, replicas, applier)) {
        const unchanged = await live.get(kind, key, given, 'scale')
        if (unchanged) return unchanged
      }
      return writer.write({
        verb: 'apply',
        kind,
        key,
        method: 'PATCH',
        path: objectPath(kind, key, 'scale'),
        body: scaleDocument(key, replicas),
        contentType: 'application/apply-patch+yaml',
        query: given.force ? { force: 'true' } : {},
        options: given,
        subresource: 'scale',
      })
    },
  }

  const subresource = (part: string) => ({
    async get(kind: AnyKind, key: ObjectKey, request?: RequestOptions) {
      return live.get(kind, key, request, part)
    },
    async create(kind: AnyKind, key: ObjectKey, body: object, given?: WriteOptions) {
      return writer.write({
        verb: 'create',
        kind,
        key,
        method: 'POST',
        path: objectPath(kind, key, part),
        body: named(key, body),
        options: given,
        subresource: part,
      })
    },
    async update(kind: AnyKind, key: ObjectKey, body: object, given?: WriteOptions) {
      return writer.replace(kind, key, named(key, body), given, part)
    },
    async patch(kind: AnyKind, key: ObjectKey, change: Patch, given?: WriteOptions) {
      return writer.patch(kind, key, change, given, part)
    },
  })

  const client = {
    get: read,
    getOrThrow,
    async list(kind: AnyKind, given: ListOptions = {}) {
      if (!cache) return live.list(kind, given)
      using linked = linkSignals(options.signal, given.signal)
      return await cache.list(kind, { ...given, signal: linked.signal })
    },
    async create(kind: AnyKind, object: KubernetesObject, given?: WriteOptions) {
      return writer.write({
        verb: 'create',
        kind,
        key: object.metadata,
        method: 'POST',
        path: collectionPath(kind, requiredNamespace(kind, object.metadata.namespace)),
        body: typedObject(kind, object),
        options: given,
      })
    },
    async update(kind: AnyKind, object: KubernetesObject, given?: WriteOptions) {
      return writer.replace(kind, object.metadata, typedObject(kind, object), given)
    },
    async patch(kind: AnyKind, key: ObjectKey, change: Patch, given?: WriteOptions) {
      return patch(kind, key, change, given)
    },
    async apply(kind: AnyKind, object: KubernetesObject, given?: ApplyOptions) {
      return applyObject(applyContext, kind, object.metadata, typedObject(kind, object), given)
    },
    delete: (kind: AnyKind, key: ObjectKey, given?: DeleteOptions) => remover.delete(kind, key, given),
    deleteAllOf: (kind: AnyKind, given?: ListOptions & DeleteOptions) => remover.deleteAllOf(kind, given),
    status,
    scale,
    subresource,
    live,
    pages: (kind: AnyKind, given?: PagesOptions) => live.pages(kind, given),
    kinds: new ServedKinds(requester, transport),
  }
  // The contract's types depend on the kind that is given; what runs is the same for all of them.
  return client as unknown as Client
}

function nameOf({ name, namespace }: ObjectKey): ObjectKey {
  return { name, ...(namespace && { namespace }) }
}

/** The body with the name of the object that it is for. */
function named(key: ObjectKey, body: object): object {
  const { metadata } = body as { metadata?: object }
  return { ...body, metadata: { ...nameOf(key), ...metadata } }
}
