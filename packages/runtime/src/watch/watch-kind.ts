import { formatKey, HomeostatError, type AnyKind, type Clock, type KubernetesObject } from '@homeostat/api'
import {
  ApiError,
  isExpired,
  isKindNotServed,
  listPages,
  Requester,
  resourceName,
  type Selection,
} from '../requests/index.ts'
import { type Logger, silentLogger } from '../telemetry/index.ts'
import { linkSignals, type Transport } from '../transport/index.ts'
import { BackOff } from './back-off.ts'
import type { Delta } from './delta.ts'
import { Handover } from './handover.ts'
import { ObjectReader, type ServedObject } from '../json/index.ts'
import { readList, type ReadList } from './read-list.ts'
import { failedRequest, isListEnd, watchStream, type StreamEnd, type WatchEvent } from './watch-stream.ts'

export interface WatchKindOptions extends Selection {
  readonly transport: Transport
  readonly kind: AnyKind
  readonly clock: Clock
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined
  readonly logger?: Logger | undefined
  /** Whether only the objects' metadata is wanted. Default: false. */
  readonly metadataOnly?: boolean | undefined
  /** How all objects are asked for at first. Default: `'list'`. */
  readonly firstList?: FirstList | undefined
}

/**
 * How a watch comes by all objects before it tells of changes: in one answer (`'list'`), or on the watch itself
 * (`'watch-list'`). An API server before 1.33 holds the whole text of a list in memory, and less with the second;
 * later ones send both as they go, and the list sooner.
 */
export type FirstList = 'list' | 'watch-list'

/** How often a kind that is not served is asked for. */
const MISSING_MILLISECONDS = 1_000
/** A stream that ends sooner than this, having said nothing, is a failure. */
const SHORT_MILLISECONDS = 1_000
/** A stream that stood for so long worked: what failed before it no longer counts. */
const STEADY_MILLISECONDS = 10_000
/** A server that asks for a longer wait is not obeyed: the process would be blind for good. */
const LONGEST_RETRY_AFTER_SECONDS = 600
/** What a server that knows nothing of watch-lists answers to one. */
const WATCH_LIST_REFUSED = [400, 405, 406, 415, 422, 501]

/**
 * All objects of a kind, and then every change to them, until the signal aborts. SPEC.md has the rules.
 */
export async function* watchKind(options: WatchKindOptions): AsyncGenerator<Delta, void, undefined> {
  const left = new AbortController()
  using linked = linkSignals(options.signal, left.signal)
  const handover = new Handover<Delta<ServedObject>>()
  const following = followKind({ ...options, signal: linked.signal }, (delta) => handover.give(delta))
  const ended = following.finally(() => handover.end())
  linked.signal?.addEventListener('abort', () => handover.end(), { once: true })
  try {
    for (let delta = await handover.next(); delta; delta = await handover.next()) {
      if (delta.type === 'listed') yield { ...delta, objects: delta.objects.map((object) => object.parse()) }
      else if ('object' in delta) yield { ...delta, object: delta.object.parse() }
      else yield delta
    }
  } finally {
    left.abort()
    await ended
  }
}

/** Takes a delta; where it returns a promise, the next one comes when that has resolved. */
type TakeDelta = (delta: Delta<ServedObject>) => Promise<void> | undefined

/**
 * The same for one who is told of each delta at once, with objects that are parsed when they are read. Resolves when
 * the signal has aborted.
 */
export function followKind(options: WatchKindOptions, take: TakeDelta): Promise<void> {
  return new KindWatch(options, take).run()
}

class KindWatch {
  readonly #options: WatchKindOptions
  readonly #take: TakeDelta
  readonly #log: Logger
  readonly #backOff: BackOff
  readonly #reader = new ObjectReader()
  /** The last version seen; without one everything has to be listed. */
  #version: string | undefined
  #first: FirstList | 'pages'
  #missing = false
  /** Whether anything was heard since the last list: a version that expires before that waits. */
  #heardSinceList = true
  /** How many streams the server ended, and how many versions expired, since a stream was steady. */
  #shortStreams = 0
  #expirations = 0

  constructor(options: WatchKindOptions, take: TakeDelta) {
    this.#options = options
    this.#take = take
    this.#log = (options.logger ?? silentLogger).child({ resource: resourceName(options.kind) })
    this.#backOff = new BackOff(options.clock)
    this.#first = options.firstList ?? 'list'
  }

  async run(): Promise<void> {
    const { signal, clock } = this.#options
    for (;;) {
      if (signal?.aborted) return
      try {
        if (this.#version === undefined && this.#first !== 'watch-list') await this.#take(await this.#list())
        await this.#stream()
      } catch (error) {
        if (signal?.aborted) return
        const { delta, wait } = this.#recover(error)
        if (delta) await this.#take(delta)
        if (wait === 0) continue
        try {
          await clock.sleep(wait, { signal })
        } catch {
          return
        }
      }
    }
  }

  async #list(): Promise<Delta<ServedObject>> {
    const { objects, resourceVersion } = this.#first === 'list' ? await this.#oneList() : await this.#pages()
    return this.#listed(objects, resourceVersion)
  }

  async #oneList(): Promise<ReadList> {
    try {
      return await readList({ ...this.#options, reader: this.#reader })
    } catch (error) {
      // Servers end an answer that takes longer than a minute, but not a watch.
      if (error instanceof HomeostatError && error.code === 'LIST_BROKEN_OFF') this.#first = 'watch-list'
      throw error
    }
  }

  async #pages(): Promise<ReadList> {
    const { transport, clock, kind } = this.#options
    const requester = new Requester({ transport }, { clock, logger: this.#log })
    const { items, resourceVersion } = await listPages(requester, kind, this.#options)
    const wanted = this.#options.metadataOnly ? items.map(metadataOf) : items
    return { objects: wanted.map((item) => this.#reader.object(item)), resourceVersion }
  }

  /** One connection, to its end. */
  async #stream(): Promise<void> {
    const { clock } = this.#options
    let opened: number | undefined
    const resourceVersion = this.#version
    let initial = resourceVersion === undefined ? new InitialEvents() : undefined
    let heard = false
    const onOpen = (): void => void (opened = clock.monotonic())
    const lived = (): number => (opened === undefined ? 0 : clock.monotonic() - opened)
    const options = { ...this.#options, resourceVersion, reader: this.#reader, onOpen }
    let end: StreamEnd
    try {
      end = await watchStream(options, (events) => {
        heard = true
        const deltas: Delta<ServedObject>[] = []
        for (const event of events) {
          if (event.type === 'ERROR') {
            const failure = new ApiError(event.object, failedRequest(this.#options))
            return Promise.resolve(this.#tell(deltas)).then(() => Promise.reject(failure))
          }
          if (!initial) {
            const delta = this.#delta(event)
            if (delta) deltas.push(delta)
          } else if (event.type === 'BOOKMARK' && isListEnd(event.object)) {
            deltas.push(this.#listed(initial.objects(), event.object.metadata.resourceVersion))
            initial = undefined
          } else initial.take(event)
        }
        return this.#tell(deltas)
      })
    } finally {
      if (lived() >= STEADY_MILLISECONDS) this.#steady()
    }
    this.#ended(end, { listing: initial !== undefined, heard, lived: lived() })
  }

  /** A stream stood long enough to show that watching works. */
  #steady(): void {
    this.#backOff.reset()
    this.#shortStreams = 0
    this.#expirations = 0
  }

  /** One after the other, at once where nobody asks to wait. */
  #tell(deltas: readonly Delta<ServedObject>[]): Promise<void> | undefined {
    for (let index = 0; index < deltas.length; index++) {
      const waiting = this.#take(deltas[index]!)
      if (waiting) return waiting.then(() => this.#tell(deltas.slice(index + 1)))
    }
    return undefined
  }

  #listed(objects: readonly ServedObject[], resourceVersion: string): Delta<ServedObject> {
    this.#version = resourceVersion
    this.#heardSinceList = false
    this.#missing = false
    return { type: 'listed', objects, resourceVersion }
  }

  #delta(event: Exclude<WatchEvent, { type: 'ERROR' }>): Delta<ServedObject> | undefined {
    this.#heardSinceList = true
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
        this.#version = event.object.resourceVersion
        return { type: DELTA_TYPES[event.type], object: event.object }
      case 'BOOKMARK':
        this.#version = event.object.metadata.resourceVersion
        return { type: 'bookmark', resourceVersion: this.#version }
      default:
        return undefined
    }
  }

  /** Throws where the end of a stream is a failure. */
  #ended(end: StreamEnd, stream: { listing: boolean; heard: boolean; lived: number }): void {
    const { kind, transport, signal } = this.#options
    if (signal?.aborted) return
    this.#log.debug({ end, ...stream, resourceVersion: this.#version }, 'a watch stream ended')
    if (end === 'silent' && stream.listing) {
      this.#first = 'pages'
      this.#log.warn(
        {},
        'the server began to list objects in a watch and did not end it; listing them in pages',
      )
    } else if (end === 'silent') {
      this.#log.warn('a watch stream fell silent; taking it up again')
    } else if (end === 'ended' && (stream.listing || this.#isTooShort(stream))) {
      throw new HomeostatError(
        'WATCH_ENDED_EARLY',
        `the server ${transport.server} ended a watch of ${resourceName(kind)} ${Math.round(stream.lived)} ms after it had begun. It is taken up again; if it goes on, look at the server's log and at what stands between.`,
      )
    }
  }

  /** Whether taking up such a stream at once could become a hot loop. */
  #isTooShort({ heard, lived }: { heard: boolean; lived: number }): boolean {
    if (lived >= STEADY_MILLISECONDS) return false
    this.#shortStreams++
    return this.#shortStreams > 1 || (!heard && lived < SHORT_MILLISECONDS)
  }

  /** What to tell of a failure, and how long to wait. */
  #recover(error: unknown): { delta?: Delta<ServedObject>; wait: number } {
    const failure = error instanceof Error ? error : new Error(String(error))
    if (isExpired(error)) return this.#expired(failure)
    if (isKindNotServed(error)) {
      this.#version = undefined
      if (this.#missing) return { wait: MISSING_MILLISECONDS }
      this.#missing = true
      this.#log.warn({ error }, 'the server does not serve this kind yet; waiting for it')
      return { delta: { type: 'missing', error: failure }, wait: MISSING_MILLISECONDS }
    }
    if (this.#version === undefined && this.#first === 'watch-list' && isWatchListRefused(error)) {
      this.#first = 'pages'
      this.#log.debug({ error }, 'the server does not list in a watch; listing in pages')
      return { wait: 0 }
    }
    const wait = Math.max(this.#backOff.next(), retryAfter(error))
    this.#log.warn({ error, wait: Math.round(wait) }, 'watching failed; it will be tried again')
    return { delta: { type: 'failed', error: failure }, wait }
  }

  /** Lists at once after a stream that worked; otherwise the next version may expire as soon. */
  #expired(error: Error): { delta?: Delta<ServedObject>; wait: number } {
    this.#expirations++
    const again = !this.#heardSinceList || this.#expirations > 1
    this.#heardSinceList = false
    this.#version = undefined
    if (!again) {
      this.#log.info('the version to watch from has expired; listing again')
      return { wait: 0 }
    }
    const wait = Math.max(this.#backOff.next(), retryAfter(error))
    this.#log.warn(
      { error, expirations: this.#expirations, wait: Math.round(wait) },
      'the version to watch from expired right after a list; waiting before listing again',
    )
    return { delta: { type: 'failed', error }, wait }
  }
}

/** The objects that a watch begins with. */
class InitialEvents {
  /** As they came; by name once one has come that is not new. */
  #objects: ServedObject[] | Map<string, ServedObject> = []

  take(event: WatchEvent): void {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') return
    if (Array.isArray(this.#objects)) {
      if (event.type === 'ADDED') {
        this.#objects.push(event.object)
        return
      }
      this.#objects = new Map(this.#objects.map((object) => [formatKey(object), object]))
    }
    const key = formatKey(event.object)
    if (event.type === 'DELETED') this.#objects.delete(key)
    else this.#objects.set(key, event.object)
  }

  /** Hands over what it has. */
  objects(): readonly ServedObject[] {
    const objects = Array.isArray(this.#objects) ? this.#objects : [...this.#objects.values()]
    this.#objects = []
    return objects
  }
}

/** What is left where only metadata is wanted and the server gave more. */
function metadataOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata }
}

const DELTA_TYPES = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const

function isWatchListRefused(error: unknown): boolean {
  return error instanceof ApiError && WATCH_LIST_REFUSED.includes(error.status.code)
}

function retryAfter(error: unknown): number {
  const seconds: unknown = error instanceof ApiError ? error.status.details?.retryAfterSeconds : undefined
  return typeof seconds === 'number' && seconds > 0
    ? Math.min(seconds, LONGEST_RETRY_AFTER_SECONDS) * 1_000
    : 0
}
