import {
  checkOptionNames,
  turnOfTheEventLoop,
  type AnyKind,
  type KubernetesObject,
  type ObjectKey,
} from '@homeostat/api'
import { linkSignals } from '../transport/index.ts'
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
} from './interface/client.ts'
import { ApplyMemory, WRITE_LISTENER, type WriteListener } from '../apply/index.ts'
import { LiveReader, notFound, type ReadListener } from './live-reader.ts'
import { ObjectRemover } from './object-remover.ts'
import { ObjectWriter, type CommonWriteOptions } from './object-writer.ts'
import { APPLY_OPTIONS, LIST_OPTIONS, READ_OPTIONS, WRITE_OPTIONS } from './option-names.ts'
import { observedCache } from './observed-cache.ts'
import {
  checkKey,
  collectionPath,
  type RequestCaller,
  Requester,
  type RequestServer,
  requiredNamespace,
  typedObject,
} from '../requests/index.ts'
import { ObjectScale } from './object-scale.ts'
import { ObjectStatus } from './object-status.ts'
import { ObjectSubresource } from './object-subresource.ts'
import { ServedKinds } from './served-kinds.ts'
import type { ClientInternals } from './client-internals.ts'

export interface ClientServer extends RequestServer {
  /**
   * Answers all reads; a read waits until the cache has the kind's objects. Writes always go to the server. Default: reads go
   * to the server too.
   */
  cache?: ClientCache | undefined
}

export interface ClientCaller extends RequestCaller, CommonWriteOptions, ReadListener, WriteListener {
  /** The field manager of the writes. Default: `homeostat`. */
  fieldManager?: string | undefined
  /**
   * Whether applies take fields from other managers. Default: true. Use `false` in a program that applies for a
   * person, who should decide about each conflict.
   */
  force?: boolean | undefined
}

/**
 * After this many reads of the cache in one reconcile the event loop gets a turn, so that an endless loop of reads
 * does not block the process.
 */
const READS_PER_TURN = 1000

/** The objects that send requests. */
interface Senders {
  readonly requester: Requester
  readonly live: LiveReader
  readonly writer: ObjectWriter
  readonly remover: ObjectRemover
}

/**
 * A client for all kinds. Most reconciles only read a cache, so the objects that send requests are created with the
 * first request. The types of `Client` depend on the given kind; the code is the same for all kinds.
 */
export class ObjectClient implements Client, ClientInternals {
  readonly #server: ClientServer
  readonly #caller: ClientCaller
  #senders: Senders | undefined
  #reads = 0

  constructor(server: ClientServer, caller: ClientCaller) {
    this.#server = server
    this.#caller = caller
  }

  async get(
    kind: AnyKind,
    key: ObjectKey,
    options: RequestOptions = {},
  ): Promise<KubernetesObject | undefined> {
    const { cache } = this.#server
    if (!cache) return this.live.get(kind, key, options)
    this.#caller.onRead?.(kind, key)
    checkOptionNames(options, READ_OPTIONS)
    if (++this.#reads % READS_PER_TURN === 0) await turnOfTheEventLoop()
    if (!options.signal) return cache.get(kind, key, this.#caller)
    using linked = linkSignals(this.#caller.signal, options.signal)
    return await cache.get(kind, key, { signal: linked.signal, waiting: this.#caller.waiting })
  }

  async getOrThrow(kind: AnyKind, key: ObjectKey, options?: RequestOptions): Promise<KubernetesObject> {
    const object = await this.get(kind, key, options)
    if (!object) throw notFound(kind, key)
    return object
  }

  async list(kind: AnyKind, options: ListOptions = {}): Promise<readonly KubernetesObject[]> {
    const { cache } = this.#server
    if (!cache) return this.live.list(kind, options)
    this.#caller.onRead?.(kind, undefined)
    checkOptionNames(options, LIST_OPTIONS)
    if (++this.#reads % READS_PER_TURN === 0) await turnOfTheEventLoop()
    using linked = linkSignals(this.#caller.signal, options.signal)
    return await cache.list(kind, { ...options, signal: linked.signal, waiting: this.#caller.waiting })
  }

  async create(kind: AnyKind, object: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject> {
    checkOptionNames(options, WRITE_OPTIONS)
    return this.writer.write({
      verb: 'create',
      kind,
      key: object.metadata,
      method: 'POST',
      path: collectionPath(kind, requiredNamespace(kind, object.metadata.namespace, 'object')),
      body: typedObject(kind, object),
      options,
    })
  }

  async update(kind: AnyKind, object: KubernetesObject, options?: WriteOptions): Promise<KubernetesObject> {
    checkOptionNames(options, WRITE_OPTIONS)
    checkKey(kind, object.metadata, 'object')
    return this.writer.replace(kind, object.metadata, typedObject(kind, object), options)
  }

  async patch(
    kind: AnyKind,
    key: ObjectKey,
    change: Patch,
    options?: WriteOptions,
    part?: string,
  ): Promise<KubernetesObject> {
    checkOptionNames(options, WRITE_OPTIONS)
    // An empty patch changes nothing, so nothing is sent.
    if (Object.keys(change.body).length === 0) return this.getOrThrow(kind, key, { signal: options?.signal })
    return this.writer.patch(kind, key, change, options, part)
  }

  async apply(kind: AnyKind, object: KubernetesObject, options?: ApplyOptions): Promise<KubernetesObject> {
    checkKey(kind, object.metadata, 'object')
    return this.applyPart(kind, object.metadata, typedObject(kind, object), options)
  }

  async delete(kind: AnyKind, key: ObjectKey, options?: DeleteOptions): Promise<boolean> {
    return this.#sending.remover.delete(kind, key, options)
  }

  async deleteAllOf(kind: AnyKind, options?: ListOptions & DeleteOptions): Promise<void> {
    return this.#sending.remover.deleteAllOf(kind, options)
  }

  get live(): LiveReader {
    return this.#sending.live
  }

  pages(kind: AnyKind, options?: PagesOptions): AsyncIterable<readonly KubernetesObject[]> {
    return this.live.pages(kind, options)
  }

  get status(): ObjectStatus {
    return new ObjectStatus(this)
  }

  get scale(): ObjectScale {
    return new ObjectScale(this)
  }

  subresource(name: string): ObjectSubresource {
    return new ObjectSubresource(this, name)
  }

  get kinds(): ServedKinds {
    return new ServedKinds(this.#sending.requester)
  }

  get fieldManager(): string {
    return this.#caller.fieldManager ?? 'homeostat'
  }

  get dryRun(): boolean | undefined {
    return this.#caller.dryRun
  }

  get force(): boolean {
    return this.#caller.force ?? true
  }

  get [WRITE_LISTENER](): WriteListener {
    return this.#caller
  }

  get writer(): ObjectWriter {
    return this.#sending.writer
  }

  async applyPart(
    kind: AnyKind,
    key: ObjectKey,
    document: object,
    options?: ApplyOptions,
    part?: string,
  ): Promise<KubernetesObject> {
    checkOptionNames(options, APPLY_OPTIONS)
    const context = {
      memory: new ApplyMemory(this.#sending.requester.memory.applied),
      fieldManager: this.fieldManager,
      dryRun: this.dryRun,
      force: this.force,
      listener: this.#caller,
      // A copy of the metadata cannot tell what an apply would change, and is not a reason to keep all of the objects.
      reader: this.#server.cache?.keepsMetadataOnly(kind) ? this.live : this,
      writer: this.writer,
    }
    return applyObject(context, kind, key, document, options, part)
  }

  get #sending(): Senders {
    return (this.#senders ??= this.#createSenders())
  }

  #createSenders(): Senders {
    const cache = this.#server.cache && observedCache(this.#server.cache, this.#caller)
    const { fieldManager } = this
    const { dryRun, fieldValidation } = this.#caller
    const requester = new Requester(this.#server, this.#caller)
    return {
      requester,
      live: new LiveReader(requester, this.#caller),
      writer: new ObjectWriter(requester, { fieldManager, dryRun, fieldValidation }, cache, this.#caller),
      remover: new ObjectRemover(requester, { dryRun }, cache, this.#caller),
    }
  }
}
