import { checkOptionNames, microTimestamp, optionNames, type Clock } from '@homeostat/api'
import { Event } from '@homeostat/api/kinds'
import { isNotFound } from '../requests/index.ts'
import type { Client } from '../client/index.ts'
import { TokenBucket } from '../queue/index.ts'
import type { EventObject, EventOptions, EventRecorder } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/index.ts'

const EVENT_OPTIONS = optionNames<EventOptions>('an event', { action: true, fieldPath: true })

export interface ApiEventRecorderOptions {
  readonly clock: Clock
  readonly logger: Logger
  /** The reporting process, one of several replicas. */
  readonly instance: string
  client(controller: string): Client
}

/** An event that was written, and how often it has happened since. */
interface Series {
  readonly key: { readonly namespace: string; readonly name: string }
  count: number
  /** When the count was last written, and when it last grew, on the monotonic scale. */
  written: number
  seen: number
}

/** After this long without a repetition, the same event starts a new series. */
const SERIES_ENDS_AFTER = 6 * 60_000
/** A series is written at most this often. */
const SERIES_INTERVAL = 30_000
/** New events about one object: 25 at once, then one in five minutes. */
const OBJECT_LIMITS = { rate: 1 / 300, burst: 25 }
const MOST_REMEMBERED = 2048
const LONGEST_NOTE = 1024

/**
 * Writes events as `events.k8s.io/v1`, one after the other, in the background. A repeated event raises the count of
 * its series, which is written at most twice a minute. If an object has too many different events, further ones are
 * dropped. A failure never throws and never fails a reconcile.
 */
export class ApiEventRecorder {
  readonly #options: ApiEventRecorderOptions
  readonly #series = new Map<string, Series>()
  readonly #objects = new Map<string, TokenBucket>()
  #writing: Promise<void> = Promise.resolve()
  #warned = false

  constructor(options: ApiEventRecorderOptions) {
    this.#options = options
  }

  /** The recorder of a controller, which reports events under the controller's name. */
  for(controller: string): EventRecorder {
    const record =
      (type: 'Normal' | 'Warning') =>
      (object: EventObject, reason: string, note: string, options: EventOptions = {}): void => {
        checkOptionNames(options, EVENT_OPTIONS)
        this.#record(controller, type, object, reason, note, options)
      }
    return { normal: record('Normal'), warning: record('Warning') }
  }

  /** Resolves when every event recorded so far was written or given up. */
  flush(): Promise<void> {
    return this.#writing
  }

  #record(
    controller: string,
    type: 'Normal' | 'Warning',
    object: EventObject,
    reason: string,
    note: string,
    { action = 'Reconcile', fieldPath }: EventOptions,
  ): void {
    const now = this.#options.clock.monotonic()
    const about = `${controller}\n${object.metadata.uid ?? `${object.kind}/${object.metadata.namespace}/${object.metadata.name}`}`
    const id = `${about}\n${type}\n${reason}\n${action}\n${fieldPath ?? ''}\n${note}`
    const known = this.#series.get(id)
    if (known && now - known.seen < SERIES_ENDS_AFTER) {
      known.seen = now
      known.count++
      if (known.count === 2 || now - known.written >= SERIES_INTERVAL) this.#raise(controller, id, known)
      return
    }
    this.#forgetOld(now)
    if (!this.#mayCreate(about, now)) {
      this.#options.logger.debug(
        { controller, reason },
        'an event was dropped: its object has too many events',
      )
      return
    }
    const key = { namespace: object.metadata.namespace ?? 'default', name: this.#name(object.metadata.name) }
    this.#series.set(id, { key, count: 1, written: now, seen: now })
    const { apiVersion, kind, metadata } = object
    const { name, namespace, uid, resourceVersion } = metadata
    const event = {
      metadata: key,
      eventTime: microTimestamp(this.#options.clock.now()),
      reportingController: controller,
      reportingInstance: this.#options.instance,
      action,
      reason,
      regarding: { apiVersion, kind, name, namespace, uid, resourceVersion, fieldPath },
      note: note.length <= LONGEST_NOTE ? note : `${note.slice(0, LONGEST_NOTE - 1)}…`,
      type,
    }
    this.#write(id, () => this.#options.client(controller).create(Event, event))
  }

  #raise(controller: string, id: string, series: Series): void {
    const { clock } = this.#options
    series.written = clock.monotonic()
    this.#write(id, () => {
      const body = { series: { count: series.count, lastObservedTime: microTimestamp(clock.now()) } }
      return this.#options.client(controller).patch(Event, series.key, { type: 'merge', body })
    })
  }

  #write(id: string, write: () => Promise<unknown>): void {
    this.#writing = this.#writeAfter(this.#writing, id, write)
  }

  async #writeAfter(others: Promise<void>, id: string, write: () => Promise<unknown>): Promise<void> {
    await others
    try {
      await write()
    } catch (error) {
      this.#failed(id, error)
    }
  }

  /** An event that could not be written, or that the server has deleted, is created again at its next repetition. */
  #failed(id: string, error: unknown): void {
    this.#series.delete(id)
    if (isNotFound(error)) return
    const level = this.#warned ? 'debug' : 'warn'
    this.#warned = true
    this.#options.logger[level]({ error }, 'an event could not be written')
  }

  /** A unique name that is readable in a list: the object's name, the time and a few random digits. */
  #name(object: string): string {
    const { clock } = this.#options
    const chance = Math.floor(clock.random() * 0x10_0000)
    return `${object.slice(0, 230)}.${clock.now().toString(16)}${chance.toString(16).padStart(5, '0')}`
  }

  #mayCreate(about: string, now: number): boolean {
    const bucket = this.#objects.get(about) ?? new TokenBucket(OBJECT_LIMITS)
    // At the end of the map, where it is forgotten last.
    this.#objects.delete(about)
    this.#objects.set(about, bucket)
    return bucket.takeIfReady(now)
  }

  #forgetOld(now: number): void {
    for (const about of this.#objects.keys()) {
      if (this.#objects.size <= MOST_REMEMBERED) break
      this.#objects.delete(about)
    }
    if (this.#series.size <= MOST_REMEMBERED) return
    for (const [id, series] of this.#series) {
      if (now - series.seen >= SERIES_ENDS_AFTER || this.#series.size > MOST_REMEMBERED)
        this.#series.delete(id)
    }
  }
}
