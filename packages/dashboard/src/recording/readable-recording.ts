import type { Cause, RecordedLog } from 'homeostat'
import type { Entry, KindName, Moment, QueueState, Recording, StartedRun } from './entry.ts'

/** The objects that a reader asks to see: those of a kind, in a namespace or in all of them. */
export interface ReadQuestion {
  /** Default: objects of every kind. */
  readonly kind?: KindName | undefined
  readonly namespace?: string | undefined
}

/**
 * The part of a recording that one reader may see. An object is shown to readers who may list its kind in its namespace; a
 * reconcile and an entry of a queue to readers who may list the kind that the controller reconciles. Causes, reads and writes of other
 * objects are left out where the reader may not list those, and so are the fields of log lines unless the reader may list everything.
 */
export class ReadableRecording {
  readonly #mayList: (question: ReadQuestion) => Promise<boolean>
  readonly #kindOf: (controller: string) => KindName | undefined
  readonly #kinds: readonly KindName[]

  constructor(options: {
    readonly mayList: (question: ReadQuestion) => Promise<boolean>
    /** The kind that a controller reconciles. */
    readonly kindOf: (controller: string) => KindName | undefined
    /** All kinds that are shown: causes name a kind without its version. */
    readonly kinds: readonly KindName[]
  }) {
    this.#mayList = options.mayList
    this.#kindOf = options.kindOf
    this.#kinds = options.kinds
  }

  async recording({ format, start, entries }: Recording): Promise<Recording> {
    return { format, start: await this.#moment(start), entries: await this.entries(entries) }
  }

  async entries(entries: readonly Entry[]): Promise<Entry[]> {
    const shown: Entry[] = []
    for (const entry of entries) {
      const readable = await this.#entry(entry)
      if (readable) shown.push(readable)
    }
    return shown
  }

  async #moment({ at, operator, disturbance, objects, queues, running }: Moment): Promise<Moment> {
    return {
      at,
      operator,
      disturbance,
      objects: await filtered(objects, (object) => this.#mayList(questionOf(object))),
      queues: await Promise.all(queues.map((queue) => this.#queue(queue))),
      running: await Promise.all(
        (await filtered(running, (run) => this.#mayListRequest(run))).map((run) => this.#started(run)),
      ),
    }
  }

  async #entry(entry: Entry): Promise<Entry | undefined> {
    switch (entry.type) {
      case 'object':
        return (await this.#mayList(questionOf(entry.object))) ? entry : undefined
      case 'queue':
        return this.#queue(entry)
      case 'started':
        return (await this.#mayListRequest(entry)) ? this.#started(entry) : undefined
      case 'ended': {
        if (!(await this.#mayListRequest(entry))) return undefined
        const writes = await filtered(entry.writes, ({ apiVersion, kind, namespace }) =>
          this.#mayList({ kind: { apiVersion, kind }, namespace }),
        )
        const reads = await filtered(entry.reads ?? [], ({ apiVersion, kind, namespace }) =>
          this.#mayList({ kind: { apiVersion, kind }, namespace }),
        )
        return { ...entry, writes, reads, logs: await this.#logs(entry.logs ?? []) }
      }
      // They name the operator, its kinds, or the uid of an object.
      case 'operator':
      case 'disturbance':
      case 'gone':
        return entry
    }
  }

  /** Fields of a line may hold values of any object, so only a reader of everything sees them. */
  async #logs(logs: readonly RecordedLog[]): Promise<readonly RecordedLog[]> {
    if (logs.length === 0 || (await this.#mayList({}))) return logs
    return logs.map(({ at, level, message }) => ({ at, level, message }))
  }

  async #queue<Q extends QueueState>(queue: Q): Promise<Q> {
    const { controller } = queue
    const requests = await filtered(queue.requests, ({ request }) =>
      this.#mayListRequest({ controller, request }),
    )
    return { ...queue, requests: await Promise.all(requests.map((each) => this.#withoutHiddenCause(each))) }
  }

  async #withoutHiddenCause<R extends QueueState['requests'][number]>(request: R): Promise<R> {
    if (!request.cause || (await this.#mayReadCause(request.cause))) return request
    return { ...request, cause: undefined, reason: undefined }
  }

  async #started<R extends StartedRun>(run: R): Promise<R> {
    const readable = await Promise.all(run.causes.map((cause) => this.#mayReadCause(cause)))
    return {
      ...run,
      causes: run.causes.filter((_, index) => readable[index]),
      reasons: run.reasons.filter((_, index) => readable[index]),
      omittedCauses: run.omittedCauses + readable.filter((isReadable) => !isReadable).length,
    }
  }

  #mayListRequest({
    controller,
    request,
  }: {
    controller: string
    request: { namespace?: string | undefined }
  }): Promise<boolean> {
    const kind = this.#kindOf(controller)
    return this.#mayList(kind ? { kind, namespace: request.namespace } : {})
  }

  async #mayReadCause(cause: Cause): Promise<boolean> {
    if (!('object' in cause)) return true
    // A kind that is not shown is known by its name alone, so only a reader of everything sees it.
    const kinds = this.#kinds.filter(({ kind }) => kind === cause.kind)
    if (kinds.length === 0) return this.#mayList({})
    const { namespace } = cause.object
    return (await Promise.all(kinds.map((kind) => this.#mayList({ kind, namespace })))).every(Boolean)
  }
}

function questionOf(object: Moment['objects'][number]): ReadQuestion {
  const { apiVersion, kind, metadata } = object
  return { kind: { apiVersion, kind }, namespace: metadata.namespace }
}

async function filtered<T>(items: readonly T[], isShown: (item: T) => Promise<boolean>): Promise<T[]> {
  const shown = await Promise.all(items.map(isShown))
  return items.filter((_, index) => shown[index])
}
