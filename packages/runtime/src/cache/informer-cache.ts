import {
  fieldSelectorFrom,
  HomeostatError,
  labelSelectorFrom,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  type AnyKind,
  type Clock,
  type KeyOf,
  type KubernetesObject,
  type ObjectKey,
  type ObjectOf,
} from '@homeostat/api'
import type { ClientCache } from '../client/client-cache.ts'
import type { ListOptions, RequestOptions } from '../client/client.ts'
import { collectionPath, objectPath, resourceName } from '../client/route.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import type { Logger } from '../telemetry/logger.ts'
import type { Transport } from '../transport/transport.ts'
import type { Cache } from './informer.ts'
import { KindInformer } from './kind-informer.ts'

export interface InformerCacheOptions {
  transport: Transport
  clock: Clock
  logger?: Logger | undefined
  /** How often every object is told again, in milliseconds, give or take a tenth. Default: 10 hours. */
  resyncMilliseconds?: number | undefined
}

/** The fields that every object has, and a cache can therefore select by. */
const SELECTABLE = new Set(['metadata.name', 'metadata.namespace'])

/**
 * The informers of one cluster, one for each kind, made when first asked for. As the cache of a client it
 * reads from them, waiting for a first list, and learns of the client's writes.
 */
export class InformerCache implements Cache, ClientCache, AsyncDisposable {
  readonly #options: InformerCacheOptions
  readonly #log: Logger
  readonly #informers = new Map<string, KindInformer<any>>()
  #stopped = false

  constructor(options: InformerCacheOptions) {
    this.#options = options
    this.#log = options.logger ?? silentLogger
  }

  informer<K extends AnyKind>(kind: K): KindInformer<K> {
    const name = informerName(kind)
    const known = this.#informers.get(name)
    if (known) return known
    if (this.#stopped) {
      throw new HomeostatError(
        'CACHE_STOPPED',
        `the cache was stopped: it cannot watch ${resourceName(kind)}. Start a new manager to read again.`,
      )
    }
    const informer = new KindInformer<K>({ ...this.#options, kind })
    this.#informers.set(name, informer)
    return informer
  }

  async get<K extends AnyKind>(
    kind: K,
    key: KeyOf<K>,
    options: RequestOptions = {},
  ): Promise<ObjectOf<K> | undefined> {
    objectPath(kind, key) // for the complaints that a request to the server would make
    const informer = await this.#readable(kind, options.signal)
    return informer.get(key)
  }

  async list<K extends AnyKind>(kind: K, options: ListOptions = {}): Promise<readonly ObjectOf<K>[]> {
    collectionPath(kind, options.namespace)
    const matches = selection(kind, options)
    const informer = await this.#readable(kind, options.signal)
    const objects = informer.list({ namespace: options.namespace })
    return matches ? objects.filter((object) => matches(object as KubernetesObject)) : objects
  }

  observeWrite(kind: AnyKind, object: KubernetesObject): void {
    this.#informers.get(informerName(kind))?.observeWrite(object)
  }

  observeDelete(kind: AnyKind, key: ObjectKey, uid: string | undefined): void {
    this.#informers.get(informerName(kind))?.observeDelete(key, uid)
  }

  /** Ends all watches. Reads reject from then on. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all([...this.#informers.values()].map((informer) => informer.stop()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }

  async #readable<K extends AnyKind>(kind: K, signal: AbortSignal | undefined): Promise<KindInformer<K>> {
    if (!this.#informers.has(informerName(kind)) && !this.#stopped) {
      this.#log.info(
        { resource: resourceName(kind) },
        'a read starts to watch all objects of this kind: it needs the verbs list and watch on it, and memory for a copy',
      )
    }
    const informer = this.informer(kind)
    await informer.whenReadable({ signal })
    return informer
  }
}

function informerName(kind: AnyKind): string {
  return `${kind.group}/${kind.version}/${kind.plural}`
}

function selection(kind: AnyKind, options: ListOptions): ((object: KubernetesObject) => boolean) | undefined {
  const { labels, fields } = options
  if (!labels && !fields) return undefined
  const byLabels =
    typeof labels === 'string' ? parseLabelSelector(labels) : labelSelectorFrom({ matchLabels: labels ?? {} })
  const byFields = typeof fields === 'string' ? parseFieldSelector(fields) : fieldSelectorFrom(fields ?? {})
  const unknown = byFields.requirements.find(({ field }) => !SELECTABLE.has(field))
  if (unknown) {
    throw new HomeostatError(
      'CACHE_FIELD_UNKNOWN',
      `a cache cannot list ${resourceName(kind)} by the field ${unknown.field}: it knows ${[...SELECTABLE].join(' and ')}. List all and filter, or list with a client that has no cache.`,
    )
  }
  return (object) => matchesLabels(byLabels, object.metadata.labels) && matchesFields(byFields, object)
}
