import { HomeostatError } from '@homeostat/api'
import { ApiError, isExpired, isKindNotServed } from '../requests/index.ts'
import type { StreamEnd } from './watch-stream.ts'

/**
 * How a watch gets all objects before it yields changes: in one answer (`'list'`), or on the watch itself
 * (`'watch-list'`). An API server before 1.33 holds the whole text of a list in memory, and less with
 * `'watch-list'`; later servers stream both, and complete the list sooner.
 */
export type FirstList = 'list' | 'watch-list'

/**
 * The state of a watch between two requests. `step` computes the next state; the rules are those of SPEC.md.
 *
 * ```
 *              ┌──────────── expired ─────────────┬───────────┐
 *              ▼                                  │           │
 *  start ─► listing ── all objects ─► listed ── a change ─► watching
 *              │  ▲                    │   ▲                  │
 *         not served                   │   └── all objects ── missing
 *              └────────► missing ◄────┴───── not served ─────┘
 * ```
 */
export type WatchState = Listing | Missing | Listed | Watching

/** The objects are not known, or no longer. The next request lists all of them, as `listBy` says (W1, W3, W5). */
export interface Listing extends WatchRecord {
  readonly type: 'listing'
}

/**
 * The server does not serve the kind, which was reported once (W9). The watch requests a list once a second. Only a
 * successful list ends this state; other failures do not.
 */
export interface Missing extends WatchRecord {
  readonly type: 'missing'
}

/**
 * All objects were delivered, and no change since. The next request watches the changes after `version` (W2). If that
 * version has already expired, the next one may too, so the next list waits (W5).
 */
export interface Listed extends WatchRecord {
  readonly type: 'listed'
  readonly version: string
}

/**
 * Changes or bookmarks were delivered up to `version`. The next request watches those after it, without a list (W4).
 */
export interface Watching extends WatchRecord {
  readonly type: 'watching'
  readonly version: string
}

/** The fields of every state. */
interface WatchRecord {
  /** How all objects are requested. A way that has failed is not tried again (W3). */
  readonly listBy: FirstList | 'pages'
  /** How many failures in a row the next wait follows (W6). */
  readonly failures: number
  /** How many streams the server has ended since one lasted ten seconds (W6). */
  readonly shortStreams: number
  /** How many versions have expired since a stream lasted ten seconds (W5). */
  readonly expirations: number
}

/** The progress of one request, a list or a stream. */
export interface Progress {
  /** The version up to which everything was delivered; `undefined` while the objects are not known. */
  version: string | undefined
  /** Whether all objects were delivered. */
  listed: boolean
  /** Whether a change or a bookmark was delivered after all objects. */
  changed: boolean
  /** Whether the server sent anything. */
  heard: boolean
  /** How many milliseconds the stream lasted; 0 for a list. */
  lived: number
}

/** How a request ended: a list was delivered, a stream ended without an error, or it failed. */
export type WatchOutcome =
  | { readonly type: 'listed'; readonly progress: Progress }
  | { readonly type: 'ended'; readonly end: StreamEnd; readonly progress: Progress }
  | { readonly type: 'failed'; readonly error: Error; readonly progress: Progress }

/** The consequence of an outcome. */
export interface WatchStep {
  readonly state: WatchState
  /** The error that the consumer gets for a failure. */
  readonly tell?: { readonly type: 'missing' | 'failed'; readonly error: Error } | undefined
  /** How long to wait before the next request. */
  readonly wait: Wait
  /** A line for the log. */
  readonly log?: LogLine | undefined
}

/**
 * In milliseconds. A back-off is extended by a random part, up to twice as long, but is never shorter than `least`
 * (W6).
 */
export type Wait =
  | { readonly type: 'none' }
  | { readonly type: 'fixed'; readonly milliseconds: number }
  | { readonly type: 'back-off'; readonly milliseconds: number; readonly least: number }

interface LogLine {
  readonly level: 'debug' | 'info' | 'warn'
  readonly fields: Readonly<Record<string, unknown>>
  readonly message: string
}

/** The names for messages. */
export interface WatchNames {
  readonly server: string
  readonly resource: string
}

/** How often a kind that is not served is requested. */
const MISSING_MILLISECONDS = 1_000
/** A stream that ends sooner than this without any event is a failure. */
const SHORT_MILLISECONDS = 1_000
/** A stream that lasted this long has worked: earlier failures no longer count. */
const STEADY_MILLISECONDS = 10_000
const FIRST_BACK_OFF_MILLISECONDS = 800
const LONGEST_BACK_OFF_MILLISECONDS = 30_000
/** The longest wait that a server may ask for. Without a limit, the watch could stop permanently. */
const LONGEST_RETRY_AFTER_SECONDS = 600
/** The answers of servers that do not support watch-lists. */
const WATCH_LIST_REFUSED = [400, 405, 406, 415, 422, 501]
const NO_WAIT: Wait = { type: 'none' }

/** The state in which a watch begins. */
export function initialState(firstList: FirstList = 'list'): WatchState {
  return { type: 'listing', listBy: firstList, failures: 0, shortStreams: 0, expirations: 0 }
}

/** The version from which a stream continues; `undefined` if it begins with all objects. */
export function versionOf(state: WatchState): string | undefined {
  return state.type === 'listed' || state.type === 'watching' ? state.version : undefined
}

/** The next state, what to report, and how long to wait before it. A pure function of its arguments. */
export function step(state: WatchState, outcome: WatchOutcome, names: WatchNames): WatchStep {
  const reached = advance(state, outcome.progress)
  switch (outcome.type) {
    case 'listed':
      return { state: reached, wait: NO_WAIT }
    case 'ended':
      return endOfStream(reached, outcome.end, outcome.progress, names)
    case 'failed':
      return failure(reached, outcome.error)
  }
}

/** The state after the events of a request, however the request ended. */
function advance(state: WatchState, progress: Progress): WatchState {
  const { version, listed, changed, lived } = progress
  const record = lived >= STEADY_MILLISECONDS ? { failures: 0, shortStreams: 0, expirations: 0 } : undefined
  if (version === undefined) return record ? { ...state, ...record } : state
  const watching = changed || (state.type === 'watching' && !listed)
  return { ...state, ...record, type: watching ? 'watching' : 'listed', version }
}

function endOfStream(state: WatchState, end: StreamEnd, progress: Progress, names: WatchNames): WatchStep {
  const listing = versionOf(state) === undefined
  if (end === 'silent' && listing) {
    return {
      state: { ...state, listBy: 'pages' },
      wait: NO_WAIT,
      log: {
        level: 'warn',
        fields: {},
        message: 'the server began to list objects in a watch and did not end it; listing them in pages',
      },
    }
  }
  if (end === 'silent') {
    const message = 'a watch stream sent nothing for too long; resuming it'
    return { state, wait: NO_WAIT, log: { level: 'warn', fields: {}, message } }
  }
  if (end === 'overdue') return { state, wait: NO_WAIT }
  if (listing) return failure(state, endedEarly(progress, names))
  if (progress.lived >= STEADY_MILLISECONDS) return { state, wait: NO_WAIT }
  const shortStreams = state.shortStreams + 1
  const counted = { ...state, shortStreams }
  // Opening such streams again at once could become a hot loop.
  const tooShort = shortStreams > 1 || (!progress.heard && progress.lived < SHORT_MILLISECONDS)
  return tooShort ? failure(counted, endedEarly(progress, names)) : { state: counted, wait: NO_WAIT }
}

function failure(state: WatchState, error: Error): WatchStep {
  if (isExpired(error)) return expired(state, error)
  if (isKindNotServed(error)) return notServed(state, error)
  if (
    versionOf(state) === undefined &&
    state.listBy === 'watch-list' &&
    error instanceof ApiError &&
    WATCH_LIST_REFUSED.includes(error.status.code)
  ) {
    const message = 'the server does not list in a watch; listing in pages'
    return {
      state: { ...state, listBy: 'pages' },
      wait: NO_WAIT,
      log: { level: 'debug', fields: { error }, message },
    }
  }
  // Servers end an answer that takes longer than a minute, but not a watch.
  const brokenOff = error instanceof HomeostatError && error.code === 'LIST_BROKEN_OFF'
  return {
    state: { ...state, failures: state.failures + 1, listBy: brokenOff ? 'watch-list' : state.listBy },
    tell: { type: 'failed', error },
    wait: backOff(state, error),
    log: { level: 'warn', fields: { error }, message: 'watching failed; retrying' },
  }
}

/** Lists at once after a stream that worked; otherwise waits, since the next version may expire as fast. */
function expired(state: WatchState, error: Error): WatchStep {
  const { listBy, failures, shortStreams } = state
  const expirations = state.expirations + 1
  const type = state.type === 'missing' ? 'missing' : 'listing'
  if (state.type !== 'listed' && expirations === 1) {
    return {
      state: { type, listBy, failures, shortStreams, expirations },
      wait: NO_WAIT,
      log: {
        level: 'info',
        fields: {},
        message: 'the version to watch from has expired; listing again',
      },
    }
  }
  return {
    state: { type, listBy, failures: failures + 1, shortStreams, expirations },
    tell: { type: 'failed', error },
    wait: backOff(state, error),
    log: {
      level: 'warn',
      fields: { error, expirations },
      message: 'the version to watch from expired right after a list; waiting before listing again',
    },
  }
}

function notServed(state: WatchState, error: Error): WatchStep {
  const { listBy, failures, shortStreams, expirations } = state
  const missing: Missing = { type: 'missing', listBy, failures, shortStreams, expirations }
  const wait: Wait = { type: 'fixed', milliseconds: MISSING_MILLISECONDS }
  if (state.type === 'missing') return { state: missing, wait }
  const message = 'the server does not serve this kind yet; waiting for it'
  return {
    state: missing,
    tell: { type: 'missing', error },
    wait,
    log: { level: 'warn', fields: { error }, message },
  }
}

function backOff({ failures }: WatchState, error: Error): Wait {
  const milliseconds = Math.min(FIRST_BACK_OFF_MILLISECONDS * 2 ** failures, LONGEST_BACK_OFF_MILLISECONDS)
  return { type: 'back-off', milliseconds, least: retryAfter(error) }
}

function retryAfter(error: Error): number {
  const seconds: unknown = error instanceof ApiError ? error.status.details?.retryAfterSeconds : undefined
  return typeof seconds === 'number' && seconds > 0
    ? Math.min(seconds, LONGEST_RETRY_AFTER_SECONDS) * 1_000
    : 0
}

function endedEarly({ lived }: Progress, { server, resource }: WatchNames): HomeostatError {
  return new HomeostatError(
    'WATCH_ENDED_EARLY',
    `the server ${server} ended a watch of ${resource} ${Math.round(lived)} ms after it had begun. It is resumed; if this repeats, check the server's log and the proxies in between.`,
  )
}
