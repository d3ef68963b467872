import {
  apiVersionOf,
  joinBytes,
  ValueBytes,
  type ApiRequest,
  type Clock,
  type KeptEvent,
} from '@homeostat/api'
import type { Accepted } from '../../discovery/index.ts'
import { served, servedJson, sharedEntry, type Watch, type WatchEvent } from '../../registry/index.ts'
import { PROTOBUF } from '../../wire/index.ts'
import { convert } from './answer.ts'
import { protobufEntryEvent, protobufEvent } from './protobuf-answer.ts'
import { addAll } from '../../work/index.ts'

const encoder = new TextEncoder()
const HEADS = {
  ADDED: encoder.encode('{"type":"ADDED","object":'),
  MODIFIED: encoder.encode('{"type":"MODIFIED","object":'),
  DELETED: encoder.encode('{"type":"DELETED","object":'),
}
const TAIL = encoder.encode('}\n')
/** The length at which a chunk is passed on: for a slow reader, the server holds one chunk and not all events. */
const CHUNK = 256 * 1024

/** Called with the events that a watch sends. */
export interface WatchObserver {
  /** Called with the number of bytes of each encoded event. */
  sent(bytes: number): void
  /** The watch has ended. Called once. */
  ended(): void
}

/**
 * A watch as lines of JSON, or as frames of protobuf. All watchers of a change share its encoding. The next chunk is
 * encoded only when the one before was read. A reader in this process also gets the events as values, where it can share them.
 */
export class WatchStream implements AsyncIterableIterator<Uint8Array> {
  readonly #watch: Watch
  readonly #request: ApiRequest
  readonly #accepted: Accepted
  readonly #clock: Clock
  readonly #sharesValues: boolean
  readonly #abort = (): void => void this.return()
  /** Events that were taken and are not encoded yet. */
  #waiting: WatchEvent[] = []
  /** In a table only the first event describes the columns. */
  #described = false
  readonly #observers: WatchObserver[] = []

  constructor(watch: Watch, request: ApiRequest, accepted: Accepted, clock: Clock) {
    this.#watch = watch
    this.#request = request
    this.#accepted = accepted
    this.#clock = clock
    const isPlain = accepted.as === undefined && accepted.mediaType === 'application/json'
    this.#sharesValues = isPlain && (request.inProcess ?? false)
    if (request.signal?.aborted) this.#abort()
    else request.signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** Calls an observer about everything that the watch sends from now on. */
  observe(observer: WatchObserver): void {
    this.#observers.push(observer)
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#waiting.length === 0) {
      const { done, value } = await this.#watch.next()
      if (done) {
        this.#ended()
        return { done: true, value: undefined }
      }
      this.#waiting = value
    }
    return { done: false, value: this.#chunk() }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#ended()
    this.#waiting = []
    await this.#watch.return()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #ended(): void {
    this.#request.signal?.removeEventListener('abort', this.#abort)
    for (const observer of this.#observers.splice(0)) observer.ended()
  }

  #chunk(): Uint8Array {
    const parts: Uint8Array[] = []
    const values: KeptEvent[] | undefined = this.#sharesValues ? [] : undefined
    let [taken, length] = [0, 0]
    while (length < CHUNK && taken < this.#waiting.length) {
      const event = this.#waiting[taken++] as WatchEvent
      const lines = this.#lines(event)
      const value = values && keptEvent(event)
      if (value) values.push(value)
      const before = length
      for (const line of lines) length += line.length
      for (const observer of this.#observers) observer.sent(length - before)
      addAll(parts, lines)
    }
    this.#waiting = this.#waiting.slice(taken)
    const chunk = joinBytes(parts)
    return values?.length === taken ? ValueBytes.encodingEvents(chunk, values) : chunk
  }

  #frame(event: WatchEvent): Uint8Array {
    if (event.type === 'ERROR') return protobufEvent('ERROR', event.status)
    if (event.type === 'BOOKMARK') return protobufEvent('BOOKMARK', this.#converted(event, bookmark(event)))
    const { type, entry, resource, object } = event
    if (!this.#accepted.as && !object) return protobufEntryEvent(type, entry, resource)
    return protobufEvent(type, this.#converted(event, object ?? served(entry, resource)))
  }

  #lines(event: WatchEvent): Uint8Array[] {
    if (this.#accepted.mediaType === PROTOBUF) return [this.#frame(event)]
    if (event.type === 'ERROR') return [line('ERROR', event.status)]
    if (event.type === 'BOOKMARK') return [line('BOOKMARK', this.#converted(event, bookmark(event)))]
    const { type, entry, resource, object } = event
    if (this.#accepted.as || object) {
      return [line(type, this.#converted(event, object ?? served(entry, resource)))]
    }
    return [HEADS[type], servedJson(entry, resource), TAIL]
  }

  #converted(event: Exclude<WatchEvent, { type: 'ERROR' }>, object: object): object {
    const headers = !this.#described
    const { resource } = event
    const converted = convert(this.#request, this.#accepted, resource, object, this.#clock.now(), headers)
    if (!converted) return object
    this.#described = true
    return converted
  }
}

/** The event as a value; undefined where its reader must parse it. */
function keptEvent(event: WatchEvent): KeptEvent | undefined {
  if (event.type === 'ERROR' || event.type === 'BOOKMARK') return undefined
  const { type, entry, resource, object } = event
  const shared = object ? undefined : sharedEntry(entry, resource)
  return shared && { type, kept: shared }
}

function bookmark(event: Extract<WatchEvent, { type: 'BOOKMARK' }>): object {
  return {
    kind: event.resource.kind,
    apiVersion: apiVersionOf(event.resource),
    metadata: {
      resourceVersion: String(event.revision),
      ...(event.initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  }
}

function line(type: string, object: object): Uint8Array {
  return encoder.encode(`{"type":"${type}","object":${JSON.stringify(object)}}\n`)
}
