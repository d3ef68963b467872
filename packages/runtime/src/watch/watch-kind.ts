import {
  checkOptionNames,
  copyJson,
  optionNames,
  type AnyKind,
  type Clock,
  type KubernetesObject,
} from '@homeostat/api'
import { ApiError, listPages, Requester, resourceName, type Selection } from '../requests/index.ts'
import { type Logger, silentLogger } from '../telemetry/index.ts'
import { linkSignals, type Transport } from '../transport/index.ts'
import { ObjectReader, type ServedObject } from '../json/index.ts'
import type { Delta } from './delta.ts'
import { Handover } from './handover.ts'
import { InitialEvents } from './initial-events.ts'
import { readList, type ReadList } from './read-list.ts'
import {
  initialState,
  step,
  versionOf,
  type FirstList,
  type Progress,
  type Wait,
  type WatchOutcome,
  type WatchState,
} from './watch-state.ts'
import { failedRequest, isListEnd, watchStream, type WatchEvent } from './watch-stream.ts'

export interface WatchKindOptions extends Selection {
  readonly transport: Transport
  readonly kind: AnyKind
  readonly clock: Clock
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined
  readonly logger?: Logger | undefined
  /** Whether to request only the objects' metadata. Default: false. */
  readonly metadataOnly?: boolean | undefined
  /** How the first list is requested. Default: `'list'`. */
  readonly firstList?: FirstList | undefined
}

const WATCH_KIND_OPTIONS = optionNames<WatchKindOptions>('watchKind', {
  namespace: true,
  labels: true,
  fields: true,
  transport: true,
  kind: true,
  clock: true,
  signal: true,
  logger: true,
  metadataOnly: true,
  firstList: true,
})

/**
 * All objects of a kind, and then every change to them, until the signal aborts. SPEC.md has the rules.
 */
export async function* watchKind(options: WatchKindOptions): AsyncGenerator<Delta, void, undefined> {
  checkOptionNames(options, WATCH_KIND_OPTIONS)
  const left = new AbortController()
  using linked = linkSignals(options.signal, left.signal)
  const handover = new Handover<Delta<ServedObject>>()
  const following = followKind({ ...options, signal: linked.signal }, (delta) => handover.give(delta))
  const ended = following.finally(() => handover.end())
  linked.signal?.addEventListener('abort', () => handover.end(), { once: true })
  try {
    for (let delta = await handover.next(); delta; delta = await handover.next()) {
      if (delta.type === 'listed') yield { ...delta, objects: delta.objects.map(ownObject) }
      else if ('object' in delta) yield { ...delta, object: ownObject(delta.object) }
      else yield delta
    }
  } finally {
    left.abort()
    await ended
  }
}

/** The object for a caller that may change it: a copy of one that a server in this process shares. */
function ownObject(served: ServedObject): KubernetesObject {
  const object = served.parse()
  return Object.isFrozen(object) ? copyJson(object) : object
}

/** Called with each delta. If it returns a promise, the next delta follows when the promise has resolved. */
type TakeDelta = (delta: Delta<ServedObject>) => Promise<void> | undefined

/**
 * The same with a callback for each delta, with objects that are parsed when they are read. Resolves when the signal
 * has aborted.
 */
export function followKind(options: WatchKindOptions, take: TakeDelta): Promise<void> {
  return new KindWatch(options, take).run()
}

/** Carries out the request of each state of a watch, and passes on the results. `watch-state.ts` decides the next state. */
class KindWatch {
  readonly #options: WatchKindOptions
  readonly #take: TakeDelta
  readonly #log: Logger
  readonly #reader = new ObjectReader()

  constructor(options: WatchKindOptions, take: TakeDelta) {
    this.#options = options
    this.#take = take
    this.#log = (options.logger ?? silentLogger).child({ resource: resourceName(options.kind) })
  }

  async run(): Promise<void> {
    const { clock, firstList, kind, signal, transport } = this.#options
    const names = { server: transport.server, resource: resourceName(kind) }
    let state = initialState(firstList)
    for (;;) {
      if (signal?.aborted) return
      const outcome = await this.#request(state)
      if (signal?.aborted) return
      if (outcome.type === 'ended') {
        const { end, progress } = outcome
        this.#log.debug({ end, ...progress }, 'a watch stream ended')
      }
      const next = step(state, outcome, names)
      state = next.state
      const wait = this.#milliseconds(next.wait)
      if (next.log) {
        const { level, fields, message } = next.log
        this.#log[level](
          next.wait.type === 'back-off' ? { ...fields, wait: Math.round(wait) } : fields,
          message,
        )
      }
      if (next.tell) await this.#take(next.tell)
      if (wait === 0) continue
      try {
        await clock.sleep(wait, { signal })
      } catch {
        return
      }
    }
  }

  /** Sends the request of a state: a list, or a stream. */
  async #request(state: WatchState): Promise<WatchOutcome> {
    const { clock } = this.#options
    const progress: Progress = {
      version: versionOf(state),
      listed: false,
      changed: false,
      heard: false,
      lived: 0,
    }
    let opened: number | undefined
    try {
      if (progress.version === undefined && state.listBy !== 'watch-list') {
        const { objects, resourceVersion } = await (state.listBy === 'list' ? this.#list() : this.#pages())
        await this.#take(listed(progress, objects, resourceVersion))
        return { type: 'listed', progress }
      }
      const end = await this.#stream(progress, () => void (opened = clock.monotonic()))
      if (opened !== undefined) progress.lived = clock.monotonic() - opened
      return { type: 'ended', end, progress }
    } catch (thrown) {
      if (opened !== undefined) progress.lived = clock.monotonic() - opened
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      return { type: 'failed', error, progress }
    }
  }

  #list(): Promise<ReadList> {
    return readList({ ...this.#options, reader: this.#reader })
  }

  async #pages(): Promise<ReadList> {
    const { transport, clock, kind } = this.#options
    const requester = new Requester({ transport }, { clock, logger: this.#log })
    const { items, resourceVersion } = await listPages(requester, kind, this.#options)
    const wanted = this.#options.metadataOnly ? items.map(metadataOf) : items
    return { objects: wanted.map((item) => this.#reader.object(item)), resourceVersion }
  }

  /** One connection, to its end. */
  #stream(progress: Progress, onOpen: () => void) {
    const resourceVersion = progress.version
    let initial = resourceVersion === undefined ? new InitialEvents() : undefined
    const options = { ...this.#options, resourceVersion, reader: this.#reader, onOpen }
    return watchStream(options, (events) => {
      progress.heard = true
      const deltas: Delta<ServedObject>[] = []
      for (const event of events) {
        if (event.type === 'ERROR') {
          const failure = new ApiError(event.object, failedRequest(this.#options))
          return Promise.resolve(this.#tell(deltas)).then(() => Promise.reject(failure))
        }
        if (!initial) {
          const delta = changed(progress, event)
          if (delta) deltas.push(delta)
        } else if (event.type === 'BOOKMARK' && isListEnd(event.object)) {
          deltas.push(listed(progress, initial.objects(), event.object.metadata.resourceVersion))
          initial = undefined
        } else initial.take(event)
      }
      return this.#tell(deltas)
    })
  }

  /** Passes deltas on in sequence, without a pause unless the consumer asks for one. */
  #tell(deltas: readonly Delta<ServedObject>[]): Promise<void> | undefined {
    let told = 0
    for (const delta of deltas) {
      told++
      const waiting = this.#take(delta)
      if (waiting) return waiting.then(() => this.#tell(deltas.slice(told)))
    }
    return undefined
  }

  #milliseconds(wait: Wait): number {
    if (wait.type === 'none') return 0
    if (wait.type === 'fixed') return wait.milliseconds
    return Math.max(wait.milliseconds * (1 + this.#options.clock.random()), wait.least)
  }
}

function listed(
  progress: Progress,
  objects: readonly ServedObject[],
  resourceVersion: string,
): Delta<ServedObject> {
  progress.version = resourceVersion
  progress.listed = true
  progress.changed = false
  return { type: 'listed', objects, resourceVersion }
}

function changed(
  progress: Progress,
  event: Exclude<WatchEvent, { type: 'ERROR' }>,
): Delta<ServedObject> | undefined {
  progress.changed = true
  switch (event.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      progress.version = event.object.resourceVersion
      return { type: DELTA_TYPES[event.type], object: event.object }
    case 'BOOKMARK':
      progress.version = event.object.metadata.resourceVersion
      return { type: 'bookmark', resourceVersion: progress.version }
    default:
      return undefined
  }
}

/** The metadata of a whole object, where the server did not send metadata only. */
function metadataOf({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata }
}

const DELTA_TYPES = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const
