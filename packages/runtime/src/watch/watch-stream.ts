import {
  HomeostatError,
  parseWithKeys,
  type AnyKind,
  type Clock,
  type KubernetesObject,
  type Status,
  ValueBytes,
} from '@homeostat/api'
import { ApiError, collectionPath, type Selection, selectorQuery, statusOf } from '../requests/index.ts'
import { linkSignals, readErrorBody, type Transport } from '../transport/index.ts'
import { JsonLines, type ObjectLine, type ObjectReader, ServedObject } from '../json/index.ts'

/** A line of a watch, as the server wrote it. */
export type WatchEvent =
  | ObjectLine
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject }
  | { readonly type: 'ERROR'; readonly object: Status }

/**
 * Why a stream ended without an error: the server ended it, the server sent nothing for too long, or the stream
 * exceeded its timeout.
 */
export type StreamEnd = 'ended' | 'silent' | 'overdue'

export interface WatchStreamOptions extends Selection {
  readonly transport: Transport
  readonly kind: AnyKind
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** The version to continue from. Without it, the stream begins with all objects. */
  readonly resourceVersion?: string | undefined
  /** Whether only the objects' metadata is wanted. */
  readonly metadataOnly?: boolean | undefined
  readonly reader: ObjectReader
  /** Called when the server has begun to answer. */
  readonly onOpen?: (() => void) | undefined
}

/** Bookmarks come about every 60 s. */
const SILENCE_MILLISECONDS = 70_000
/** After this long without an event during the first list, the stream is given up. */
const LIST_SILENCE_MILLISECONDS = 30_000
const OVERDUE_SECONDS = 30
/** The shortest duration of a stream; a random part makes it up to twice as long. */
const SECONDS = 300
const SECONDS_IN_PROCESS = 86_400
const decoder = new TextDecoder()
/** The media type of metadata only. A server that does not support it sends whole objects. */
const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end'

/**
 * One connection of a watch: `take` gets the events of each chunk that arrives, and may ask to wait before the
 * next. It returns why it ended; it throws a `TransportError` when the connection broke, an `ApiError` when the
 * server refused, and what `take` throws. ERROR events are events like others.
 */
export async function watchStream(
  options: WatchStreamOptions,
  take: (events: readonly WatchEvent[]) => Promise<void> | undefined,
): Promise<StreamEnd> {
  const { clock, signal } = options
  const ours = new AbortController()
  let ending: StreamEnd = 'ended'
  const end = (why: StreamEnd): void => {
    ending = why
    ours.abort(why)
  }
  using linked = linkSignals(signal, ours.signal)
  const { inProcess } = options.transport
  const least = inProcess ? SECONDS_IN_PROCESS : SECONDS
  const seconds = least + Math.floor(clock.random() * least)
  using silence = new Silence(clock, () => end('silent'))
  using _overdue = clock.schedule((seconds + OVERDUE_SECONDS) * 1_000, () => end('overdue'))
  if (options.resourceVersion === undefined) silence.limit(LIST_SILENCE_MILLISECONDS)
  try {
    const response = await options.transport.send(watchRequest(options, seconds, linked.signal))
    if (response.status >= 300) {
      const bytes = await readErrorBody(response, { signal: linked.signal })
      throw new ApiError(statusOf(response, bytes), failedRequest(options))
    }
    options.onOpen?.()
    const lines = new JsonLines()
    const body = response.body instanceof Uint8Array ? [response.body] : response.body
    for await (const chunk of body) {
      silence.broken()
      const events =
        (lines.isEmpty ? sharedEvents(chunk) : undefined) ??
        lines.push(chunk).map((line) => parseEvent(line, options))
      for (const event of events) {
        if (event.type === 'BOOKMARK')
          silence.limit(inProcess || isListEnd(event.object) ? undefined : SILENCE_MILLISECONDS)
      }
      const waiting = events.length > 0 ? take(events) : undefined
      if (waiting) await waiting
    }
    const rest = lines.rest()
    if (rest.length > 0 && !linked.signal?.aborted) await take([parseWhole(rest, options)])
  } catch (error) {
    if (!ours.signal.aborted || signal?.aborted) throw error
  }
  return ending
}

/** Whether a bookmark marks the end of the first list. */
export function isListEnd(bookmark: KubernetesObject): boolean {
  return bookmark.metadata.annotations?.[INITIAL_EVENTS_END] === 'true'
}

/** The request that an `ApiError` of a watch names. */
export function failedRequest(options: Pick<WatchStreamOptions, 'kind' | 'namespace'>) {
  return { verb: 'watch', kind: options.kind, key: { namespace: options.namespace } }
}

function watchRequest(options: WatchStreamOptions, seconds: number, signal: AbortSignal | undefined) {
  const { resourceVersion } = options
  return {
    method: 'GET' as const,
    path: collectionPath(options.kind, options.namespace),
    query: new URLSearchParams({
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: String(seconds),
      ...selectorQuery(options),
      ...(resourceVersion === undefined
        ? { sendInitialEvents: 'true', resourceVersionMatch: 'NotOlderThan' }
        : { resourceVersion }),
    }),
    headers: { accept: options.metadataOnly ? METADATA_ONLY : 'application/json' },
    signal,
  }
}

/** The events of a chunk that a server in this process gave with their values; undefined for other chunks. */
function sharedEvents(chunk: Uint8Array): WatchEvent[] | undefined {
  return ValueBytes.eventsIn(chunk)?.map(({ type, kept }) => ({ type, object: ServedObject.kept(kept) }))
}

/** Parses a complete line. */
function parseEvent(line: Uint8Array, options: WatchStreamOptions): WatchEvent {
  return options.reader.line(line) ?? parseWhole(line, options)
}

/** Parses the whole line, so that an incomplete line is an error. */
function parseWhole(line: Uint8Array, options: WatchStreamOptions): WatchEvent {
  try {
    const event = parseWithKeys(decoder.decode(line)) as {
      type: WatchEvent['type']
      object: KubernetesObject
    }
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') return event as WatchEvent
    return { type: event.type, object: options.reader.object(event.object) }
  } catch (cause) {
    throw new HomeostatError(
      'WATCH_LINE_INVALID',
      `the watch of ${options.kind.plural} at ${options.transport.server} broke off within a line, or sent a line that is not JSON. It is resumed; if this repeats, check the proxies between this process and the API server.`,
      { cause },
    )
  }
}

/** Calls back when the server has sent nothing for the time of the limit. */
class Silence implements Disposable {
  readonly #clock: Clock
  readonly #onSilence: () => void
  #heard: number
  #limit: number | undefined
  #timer: Disposable | undefined

  constructor(clock: Clock, onSilence: () => void) {
    this.#clock = clock
    this.#onSilence = onSilence
    this.#heard = clock.monotonic()
  }

  /** Notes that the server sent something. The timer is not reset: it checks again when it fires. */
  broken(): void {
    this.#heard = this.#clock.monotonic()
  }

  limit(milliseconds: number | undefined): void {
    if (milliseconds === this.#limit) return
    this.#limit = milliseconds
    this.#arm()
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]()
    const limit = this.#limit
    if (limit === undefined) return
    const due = this.#heard + limit
    this.#timer = this.#clock.schedule(due - this.#clock.monotonic(), () => {
      if (this.#clock.monotonic() - this.#heard >= limit) this.#onSilence()
      else this.#arm()
    })
  }

  [Symbol.dispose](): void {
    this.#limit = undefined
    this.#timer?.[Symbol.dispose]()
  }
}
