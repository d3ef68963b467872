import { formatKey, keyOf, type AnyKind, type Clock } from '@homeostat/api'
import { metadataChanged, type ObjectEvent } from '../cache/index.ts'
import type { Handler, HandlerContext, Requests } from '../handler/index.ts'
import { type Cause, causeOfEvent, explainFrozenObject, requestText } from '../reconcile/index.ts'
import { kindSource, type SourceContext } from '../source/index.ts'
import {
  type CallbackFailure,
  type CallbackFailureListener,
  type Logger,
  tellCallbackFailure,
} from '../telemetry/index.ts'
import type { ControllerOptions, Watch } from './controller.ts'
import type { MappingWork } from './mapping-work.ts'

/** The priority of existing and unchanged objects: lower than that of objects that have just changed. */
const LOW_PRIORITY = -100
const LONGEST_WAIT = 300_000

export interface EventFlowOptions {
  /** The controller's name. */
  readonly controller: string
  readonly source: SourceContext
  readonly handler: HandlerContext
  readonly clock: Clock
  readonly work: MappingWork
  readonly logger: Logger
  readonly predicate: ControllerOptions['predicate']
  readonly onCallbackFailure?: CallbackFailureListener | undefined
  enqueue(key: string, options: EventRequest): void
}

/** A request that an event caused, with what the queue needs to know about it. */
export interface EventRequest {
  readonly priority: number
  readonly cause: Cause
  /** Absent where the event is not about an object of a cluster. */
  readonly event?: ObjectEvent | undefined
}

/**
 * Brings events to the queue: source → predicates → handler → requests. If a handler fails, it gets the event again
 * with growing delays, until it succeeds or the controller stops.
 */
export class EventFlow {
  readonly #options: EventFlowOptions

  constructor(options: EventFlowOptions) {
    this.#options = options
  }

  /** Starts the watch; resolves when everything that was there at the start is in the queue. */
  start(watch: Watch): Promise<void> {
    const { source } = this.#options
    if (watch.role === 'source') {
      return watch.source.start(source, (event) => {
        const cause: Cause = { type: 'external', source: watch.source.name, note: event.note }
        this.#handle(watch.handler, event, { priority: 0, cause })
      })
    }
    if (watch.role === 'objects') {
      return watch.source.watch(source, (kind, event) => this.#change(watch, kind, event))
    }
    return kindSource(watch.kind).start(source, (event) => this.#change(watch, watch.kind, event))
  }

  #change(watch: Exclude<Watch, { role: 'source' }>, kind: AnyKind, event: ObjectEvent): void {
    if (!this.#matters(watch, kind, event)) return
    const cause = causeOfEvent(kind, event)
    this.#handle(watch.handler, event, { priority: isNews(event) ? 0 : LOW_PRIORITY, cause, event })
  }

  /** A predicate that throws lets the event pass: an unnecessary reconcile is better than a missing one. */
  #matters(watch: Exclude<Watch, { role: 'source' }>, kind: AnyKind, event: ObjectEvent): boolean {
    try {
      const { predicate } = this.#options
      return (predicate?.(event) ?? true) && (watch.predicate?.(event) ?? true)
    } catch (thrown) {
      const object = event.key ?? keyOf(event.object)
      const error = explainFrozenObject(thrown, 'the predicate', [`${kind.kind} ${formatKey(object)}`])
      this.#options.logger.error(
        { error, kind: kind.kind, object: formatKey(object) },
        'a predicate threw; the event is handled as if it had passed',
      )
      this.#tell({ callback: 'predicate', error, kind: kind.kind, object })
      return true
    }
  }

  #handle(handler: Handler<any>, event: unknown, options: EventRequest): void {
    try {
      const requests = handler.requests(event, this.#options.handler)
      if (requests instanceof Promise) void this.#wait(handler, event, options, requests)
      else this.#enqueue(requests, options)
    } catch (error) {
      void this.#wait(handler, event, options, Promise.reject(error))
    }
  }

  async #wait(
    handler: Handler<any>,
    event: unknown,
    options: EventRequest,
    first: Promise<Requests>,
  ): Promise<void> {
    const { clock, logger, source, work } = this.#options
    for (let failures = 0; ; failures++) {
      try {
        using _ = work.begin()
        this.#enqueue(
          await (failures === 0 ? first : handler.requests(event, this.#options.handler)),
          options,
        )
        return
      } catch (thrown) {
        if (source.signal.aborted) return
        const wait = Math.min(1000 * 2 ** failures, LONGEST_WAIT)
        const subject = subjectOf(options.cause)
        const object = subject.object && formatKey(subject.object)
        const read = object === undefined ? [] : [`${subject.kind} ${object}`]
        const error = explainFrozenObject(thrown, 'the mapping', read)
        logger.error(
          { error, ...subject, object, retryIn: wait },
          'an event could not be mapped to requests; retrying',
        )
        this.#tell({ callback: 'mapping', error, ...subject, retryIn: wait })
        await clock.sleep(wait, { signal: source.signal }).catch(() => {})
        if (source.signal.aborted) return
      }
    }
  }

  #tell(failure: CallbackFailure): void {
    const { controller, logger, onCallbackFailure } = this.#options
    tellCallbackFailure(onCallbackFailure, { controller, ...failure }, logger)
  }

  #enqueue(requests: Requests, options: EventRequest): void {
    if (requests === undefined) return
    if (!(Symbol.iterator in requests)) return this.#options.enqueue(requestText(requests), options)
    // An update of a child names its owner before and after: that is one cause, not two.
    for (const key of new Set(Array.from(requests, requestText))) this.#options.enqueue(key, options)
  }
}

/** The subject of an event, for messages. */
function subjectOf(cause: Cause): Pick<CallbackFailure, 'kind' | 'object' | 'source'> {
  if ('object' in cause) return { kind: cause.kind, object: cause.object }
  return 'source' in cause ? { source: cause.source } : {}
}

function isNews(event: ObjectEvent): boolean {
  if (event.type === 'added') return !event.initial
  if (event.type !== 'updated') return event.type === 'deleted'
  return metadataChanged(event).has('resourceVersion')
}
