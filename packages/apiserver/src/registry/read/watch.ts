import { failure, type Status, type Timer } from '@homeostat/api'
import { forbiddenValue, unsupportedValue } from '../../schema/index.ts'
import { RevisionExpired, type Stored, type StoreEvent, type StoreWatch } from '../../storage/index.ts'
import { checkReadable } from '../stored/conversion-webhook.ts'
import { Failure } from '../resource/failure.ts'
import { futureFailure, prefixOf, refuseOptions, watchedVersion } from './read.ts'
import { collectionOf, type Registry } from '../registry.ts'
import type { Resource } from '../resource/resource.ts'
import type { Selection } from './selection.ts'
import { served } from '../stored/served.ts'
import type { ServerObject } from '../resource/server-object.ts'
import type { Place } from '../request/target.ts'

/** How a watch is to begin and to end. */
export interface WatchOptions {
  readonly selection: Selection
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: string | undefined
  readonly sendInitialEvents?: boolean | undefined
  readonly allowWatchBookmarks?: boolean | undefined
  readonly timeoutSeconds?: number | undefined
  /** Whether bookmarks that say nothing new are left out: a reader in this process needs no sign of life. Default: false. */
  readonly quiet?: boolean | undefined
}

/** What a watch tells. */
export type WatchEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
      readonly entry: Stored
      readonly resource: Resource
      /** Given where the object is not the entry's own: the last state before it left the selection. */
      readonly object?: ServerObject | undefined
    }
  | {
      readonly type: 'BOOKMARK'
      readonly revision: number
      readonly resource: Resource
      readonly initialEventsEnd: boolean
    }
  | { readonly type: 'ERROR'; readonly status: Status }

/** Without a timeout of the client's a watch ends after this many seconds, or up to twice as many. */
const SHORTEST_WATCH = 1800
/** How many events are handed over at once: a reader that is slow should not make the server hold more. */
const BATCH = 500

/**
 * Follows the objects of a place. Each batch holds what has happened since the last one, in order; an object that comes
 * to meet the selection is added, one that ceases to is deleted. It ends by its timeout, with the server,
 * after an error, when its resource is no longer served as it was, or when the reader calls `return()`.
 */
export class Watch implements AsyncIterableIterator<WatchEvent[]> {
  readonly #registry: Registry
  readonly #place: Place
  readonly #options: WatchOptions
  readonly #beat = (): void => {
    if (this.#options.quiet && this.#store.revision === this.#told) return
    this.#bookmarkDue = true
    this.#wake()
  }
  readonly #resource: Resource
  #initial: WatchEvent[]
  #store: StoreWatch
  #timer: Timer
  #bookmarkDue = false
  /** The revision that the reader knows of. */
  #told = 0
  #ending = false
  #closed = false
  #waiting: (() => void) | undefined

  constructor(registry: Registry, place: Place, options: WatchOptions) {
    checkOptions(options)
    this.#registry = registry
    this.#place = place
    this.#options = options
    this.#resource = place.resource
    const version = watchedVersion(options.resourceVersion) ?? 0
    const withState = options.sendInitialEvents ?? version === 0
    const early = options.sendInitialEvents ? futureFailure(registry, version) : undefined
    this.#initial = early ? [{ type: 'ERROR', status: early }] : withState ? this.#currentState() : []
    this.#ending = this.#initial[0]?.type === 'ERROR'
    const after = withState || version === 0 ? registry.store.revision : version
    const range = { collection: collectionOf(place.resource), prefix: prefixOf(place) }
    this.#store = registry.store.watch(range, after, () => this.#wake())
    const seconds = options.timeoutSeconds || SHORTEST_WATCH * (1 + registry.clock.random())
    this.#timer = registry.clock.schedule(seconds * 1000, () => this.end())
    if (options.allowWatchBookmarks) registry.bookmarks.listen(this.#beat)
    registry.watches.add(this)
  }

  async next(): Promise<IteratorResult<WatchEvent[], undefined>> {
    while (!this.#closed) {
      const events = this.#drain()
      if (events.length > 0) return { done: false, value: events }
      if (this.#ending) this.#close()
      else await new Promise<void>((resolve) => (this.#waiting = resolve))
    }
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<WatchEvent[], undefined>> {
    this.#close()
    return { done: true, value: undefined }
  }

  /** Ends the watch after what has happened so far was handed over. */
  end(): void {
    this.#ending = true
    this.#wake()
  }

  /** Looks again whether the resource is still served. */
  recheck(): void {
    this.#wake()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #currentState(): WatchEvent[] {
    const { sendInitialEvents, allowWatchBookmarks } = this.#options
    const resource = this.#resource
    const events: WatchEvent[] = []
    try {
      const range = { collection: collectionOf(resource), prefix: prefixOf(this.#place) }
      for (const entry of this.#registry.store.snapshot(range)) {
        if (this.#selects(entry)) events.push({ type: 'ADDED', entry, resource })
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return [{ type: 'ERROR', status: error.status }]
    }
    if (sendInitialEvents && allowWatchBookmarks) {
      events.push({
        type: 'BOOKMARK',
        revision: this.#registry.store.revision,
        resource,
        initialEventsEnd: true,
      })
    }
    return events
  }

  #drain(): WatchEvent[] {
    const { group, version, plural } = this.#resource
    // When a kind was redefined, the watch ends and the client starts another: the events so far had another form.
    if (this.#registry.catalogue.find(group, version, plural) !== this.#resource) this.#ending = true
    const events = this.#initial
    this.#initial = []
    try {
      while (events.length < BATCH) {
        const event = this.#store.take()
        if (!event) break
        const seen = this.#see(event)
        if (seen) events.push(seen)
      }
    } catch (error) {
      events.push({ type: 'ERROR', status: statusOf(error) })
      this.#close()
      return events
    }
    if (this.#bookmarkDue && events.length === 0 && !this.#ending) {
      this.#bookmarkDue = false
      const { revision } = this.#store
      this.#told = revision
      events.push({ type: 'BOOKMARK', revision, resource: this.#resource, initialEventsEnd: false })
    }
    return events
  }

  /** The event as the selection sees it; undefined when it does not. */
  #see(event: StoreEvent): WatchEvent | undefined {
    const { entry, previous } = event
    const resource = this.#resource
    const before = previous !== undefined && this.#selects(previous)
    if (event.type === 'deleted') return before ? { type: 'DELETED', entry, resource } : undefined
    const after = this.#selects(entry)
    if (after) return { type: before ? 'MODIFIED' : 'ADDED', entry, resource }
    if (!before) return undefined
    const last = served(previous, resource)
    const object = { ...last, metadata: { ...last.metadata, resourceVersion: String(event.revision) } }
    return { type: 'DELETED', entry, resource, object }
  }

  /** Whether the watch tells of an entry. Fails with `Failure` where the entry cannot be told. */
  #selects(entry: Stored): boolean {
    checkReadable(entry, this.#resource)
    return this.#options.selection.matches(entry)
  }

  #wake(): void {
    this.#waiting?.()
    this.#waiting = undefined
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#timer.cancel()
    this.#store.close()
    this.#registry.bookmarks.unlisten(this.#beat)
    this.#registry.watches.delete(this)
    this.#wake()
  }
}

/** What a watch says of a failure before it ends. Rethrows what is none of the API's. */
function statusOf(error: unknown): Status {
  if (error instanceof Failure) return error.status
  if (!(error instanceof RevisionExpired)) throw error
  return failure.expired(`too old resource version: ${error.revision} (${error.oldest})`)
}

function checkOptions(options: WatchOptions): void {
  const { resourceVersionMatch: match, sendInitialEvents } = options
  const field = 'resourceVersionMatch'
  const problems = []
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    problems.push(
      forbiddenValue(field, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    )
  }
  if (match) {
    if (sendInitialEvents === undefined) {
      problems.push(
        forbiddenValue(
          field,
          'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
        ),
      )
    }
    if (match !== 'NotOlderThan') problems.push(unsupportedValue(field, match, ['NotOlderThan']))
  }
  if (problems.length > 0) refuseOptions(problems)
}
