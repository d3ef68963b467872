import { failure, type Status, type Timer } from '@homeostat/api'
import { forbiddenValue, unsupportedValue } from '../../schema/index.ts'
import { RevisionExpired, type Stored, type StoreEvent, type StoreWatch } from '../../storage/index.ts'
import { needsWebhook } from '../stored/needs-webhook.ts'
import { Failure } from '../resource/failure.ts'
import { futureFailure, prefixOf, refuseOptions, watchedVersion } from './read.ts'
import { collectionOf, type Registry } from '../state/registry.ts'
import type { Resource } from '../resource/resource.ts'
import { ConversionOutage } from './conversion-outage.ts'
import type { Selection } from './selection.ts'
import { served } from '../stored/served.ts'
import type { ServerObject } from '../resource/server-object.ts'
import type { Place } from '../request/target.ts'

/** Options of a watch. */
export interface WatchOptions {
  readonly selection: Selection
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: string | undefined
  readonly sendInitialEvents?: boolean | undefined
  readonly allowWatchBookmarks?: boolean | undefined
  readonly timeoutSeconds?: number | undefined
  /**
   * Whether to leave out bookmarks without a new version: a reader in this process needs no heartbeat. Default:
   * false.
   */
  readonly quiet?: boolean | undefined
}

/** An event of a watch. */
export type WatchEvent =
  | {
      readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
      readonly entry: Stored
      readonly resource: Resource
      /** Set where the object is not the entry's: the last state before it left the selection. */
      readonly object?: ServerObject | undefined
    }
  | {
      readonly type: 'BOOKMARK'
      readonly revision: number
      readonly resource: Resource
      readonly initialEventsEnd: boolean
    }
  | { readonly type: 'ERROR'; readonly status: Status }

/** Without the client's timeout, a watch ends after this many seconds, or up to twice as many. */
const SHORTEST_WATCH = 1800
/** The most events of a batch, which limits what the server holds for a slow reader. */
const BATCH = 500

/**
 * Follows the objects of a namespace or of all. Each batch has the changes since the last one, in order. An object
 * that begins to match the selection is added, one that no longer matches is deleted. A watch ends by its timeout,
 * with the server, after an error, when its resource has changed, or when the reader calls `return()`.
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
  /** The events to yield first. */
  #initial: WatchEvent[] = []
  /** Changes that a webhook has yet to convert: first those of the initial state. */
  #unread: StoreEvent[] = []
  /** The bookmark that ends the initial state, until it is sent. */
  #initialEnd: WatchEvent | undefined
  #hasBegun = false
  #outage: ConversionOutage | undefined
  #store: StoreWatch
  #timer: Timer
  #bookmarkDue = false
  /** The revision that the reader has seen. */
  #told = 0
  #ending = false
  #closed = false
  #waiting: (() => void) | undefined
  /** Whether something happened since events were last taken. */
  #woken = false

  constructor(registry: Registry, place: Place, options: WatchOptions) {
    checkOptions(options, registry)
    this.#registry = registry
    this.#place = place
    this.#options = options
    this.#resource = place.resource
    const version = watchedVersion(options.resourceVersion) ?? 0
    const withState = options.sendInitialEvents ?? version === 0
    const early = options.sendInitialEvents ? futureFailure(registry, version) : undefined
    if (early) this.#initial = [{ type: 'ERROR', status: early }]
    else if (withState) this.#readState()
    this.#ending = early !== undefined
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
      this.#woken = false
      const { conversionWebhook } = this.#resource
      const events = conversionWebhook === undefined ? this.#drain() : await this.#drainConverted()
      if (events.length > 0) return { done: false, value: events }
      if (this.#ending) this.#close()
      else if (!this.#woken) await new Promise<void>((resolve) => (this.#waiting = resolve))
    }
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<WatchEvent[], undefined>> {
    this.#close()
    return { done: true, value: undefined }
  }

  /** Ends the watch after all events so far. */
  end(): void {
    this.#ending = true
    this.#wake()
  }

  /** Checks again whether the resource is still served. */
  recheck(): void {
    this.#wake()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Begins with the existing objects. */
  #readState(): void {
    const { sendInitialEvents, allowWatchBookmarks, selection } = this.#options
    const resource = this.#resource
    const { revision } = this.#registry.store
    const range = { collection: collectionOf(resource), prefix: prefixOf(this.#place) }
    const entries = this.#registry.store.snapshot(range)
    if (resource.conversionWebhook !== undefined) {
      this.#unread = entries.map((entry) => ({ type: 'created', revision, entry, previous: undefined }))
    } else {
      for (const entry of entries) {
        if (selection.matches(entry)) this.#initial.push({ type: 'ADDED', entry, resource })
      }
    }
    if (!sendInitialEvents || !allowWatchBookmarks) return
    const end: WatchEvent = { type: 'BOOKMARK', revision, resource, initialEventsEnd: true }
    if (resource.conversionWebhook === undefined) this.#initial.push(end)
    else this.#initialEnd = end
  }

  /** When a kind was redefined, the watch ends and the client starts another: the events so far had another form. */
  #endIfRedefined(): void {
    const { group, version, plural } = this.#resource
    if (this.#registry.catalogue.find(group, version, plural) !== this.#resource) this.#ending = true
  }

  #drain(): WatchEvent[] {
    this.#endIfRedefined()
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
      return this.#failed(events, error)
    }
    this.#addBookmark(events)
    return events
  }

  /** Does the same for objects that a webhook may have to convert: all of a batch in one review. */
  async #drainConverted(): Promise<WatchEvent[]> {
    this.#endIfRedefined()
    const events = this.#initial
    this.#initial = []
    if (this.#outage?.isWaiting) return events
    let taken: StoreEvent[] = []
    try {
      taken = this.#take()
      const entries = taken.flatMap((event) => this.#toConvert(event))
      // A failure recurs with its own event, so that the events before it are yielded first.
      if (entries.length > 1) await Promise.resolve(this.#conversions(entries)).catch(ignoreFailure)
      for (let event = taken[0]; event; event = taken[0]) {
        const seen = this.#see(await this.#converted(event))
        if (this.#closed) return []
        this.#outage = undefined
        taken.shift()
        if (seen) events.push(seen)
      }
    } catch (error) {
      if (!this.#hasBegun || !(error instanceof Failure)) return this.#failed(events, error)
      this.#unread = [...taken, ...this.#unread]
      return this.#retryLater(events)
    }
    if (this.#unread.length === 0) {
      this.#hasBegun = true
      if (this.#initialEnd) events.push(this.#initialEnd)
      this.#initialEnd = undefined
    }
    this.#addBookmark(events)
    return events
  }

  /**
   * Retries a change that cannot be converted, so that a webhook may be unavailable for a while. As in Kubernetes,
   * the watch ends without an error when that takes too long: the client lists again, and then gets the error.
   */
  #retryLater(events: WatchEvent[]): WatchEvent[] {
    const outage = (this.#outage ??= new ConversionOutage(this.#registry.clock))
    if (outage.isTooLong) this.#ending = true
    else outage.wait(() => this.#wake())
    return events
  }

  /** The next changes: those of the initial state before those of the store. */
  #take(): StoreEvent[] {
    if (this.#unread.length > 0) return this.#unread.splice(0, BATCH)
    const taken: StoreEvent[] = []
    while (taken.length < BATCH) {
      const event = this.#store.take()
      if (!event) break
      taken.push(event)
    }
    return taken
  }

  /** The entries of a change that only a webhook can convert. Only a selection needs the former state. */
  #toConvert({ entry, previous }: StoreEvent): Stored[] {
    const entries = previous && !this.#options.selection.all ? [previous, entry] : [entry]
    return entries.filter((one) => needsWebhook(one, this.#resource))
  }

  #conversions(entries: readonly Stored[]): readonly Stored[] | Promise<readonly Stored[]> {
    return this.#registry.conversions.read(entries, this.#place)
  }

  async #converted(event: StoreEvent): Promise<StoreEvent> {
    const { conversions } = this.#registry
    if (this.#toConvert(event).length === 0) return event
    const entry = await conversions.readOne(event.entry, this.#place)
    const previous =
      event.previous && !this.#options.selection.all
        ? await conversions.readOne(event.previous, this.#place)
        : event.previous
    return { ...event, entry, previous }
  }

  #failed(events: WatchEvent[], error: unknown): WatchEvent[] {
    events.push({ type: 'ERROR', status: statusOf(error) })
    this.#close()
    return events
  }

  #addBookmark(events: WatchEvent[]): void {
    if (this.#bookmarkDue && events.length === 0 && !this.#ending) {
      this.#bookmarkDue = false
      const { revision } = this.#store
      this.#told = revision
      events.push({ type: 'BOOKMARK', revision, resource: this.#resource, initialEventsEnd: false })
    }
  }

  /** The event for the selection; undefined when the selection does not include it. */
  #see(event: StoreEvent): WatchEvent | undefined {
    const { entry, previous } = event
    const resource = this.#resource
    const { selection } = this.#options
    const before = previous !== undefined && selection.matches(previous)
    if (event.type === 'deleted') return before ? { type: 'DELETED', entry, resource } : undefined
    const after = selection.matches(entry)
    if (after) return { type: before ? 'MODIFIED' : 'ADDED', entry, resource }
    if (!before) return undefined
    const last = served(previous, resource)
    const object = { ...last, metadata: { ...last.metadata, resourceVersion: String(event.revision) } }
    return { type: 'DELETED', entry, resource, object }
  }

  #wake(): void {
    this.#woken = true
    this.#waiting?.()
    this.#waiting = undefined
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#timer.cancel()
    this.#outage?.end()
    this.#store.close()
    this.#registry.bookmarks.unlisten(this.#beat)
    this.#registry.watches.delete(this)
    this.#wake()
  }
}

/** The last event of a watch that fails. Rethrows errors that are not the API's. */
function statusOf(error: unknown): Status {
  if (error instanceof Failure) return error.status
  if (!(error instanceof RevisionExpired)) throw error
  return failure.expired(`too old resource version: ${error.revision} (${error.oldest})`)
}

/** Ignores a failed conversion: the caller asks again for each object. */
function ignoreFailure(error: unknown): void {
  if (!(error instanceof Failure)) throw error
}

function checkOptions(options: WatchOptions, { disabledFeatures }: Registry): void {
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
  if (sendInitialEvents !== undefined && disabledFeatures.has('WatchList')) {
    problems.push(
      forbiddenValue(
        'sendInitialEvents',
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      ),
    )
  }
  if (problems.length > 0) refuseOptions(problems)
}
