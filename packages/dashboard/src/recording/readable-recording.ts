import type { Cause, RecordedLog } from 'homeostat'
import type { Entry, KindName, Moment, QueueState, RecordedObject, Recording, StartedRun } from './entry.ts'

/** The objects that a reader asks to see: those of a kind, in a namespace or in all of them. */
export interface ReadQuestion {
  /** Default: objects of every kind. */
  readonly kind?: KindName | undefined
  readonly namespace?: string | undefined
}

const EVERYTHING: ReadQuestion = {}

/**
 * The part of a recording that one reader may see. An object is shown to readers who may list its kind in its namespace; a
 * reconcile and an entry of a queue to readers who may list the kind that the controller reconciles. Causes, reads and writes of other
 * objects are left out if the reader may not list these objects. Fields of log lines are shown only to readers who may list everything.
 */
export class ReadableRecording {
  readonly #mayList: (question: ReadQuestion) => Promise<boolean>
  readonly #kindOf: (controller: string) => KindName | undefined
  readonly #kinds: readonly KindName[]
  /** Answers that are known, so that most entries are looked through without waiting. */
  readonly #answers = new Map<string, boolean>()
  /** Questions without an answer that the last look met. */
  readonly #open = new Map<string, ReadQuestion>()
  /** The last answer to each question, also before they were asked again. */
  readonly #last = new Map<string, boolean>()
  #hasChanged = false

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

  /** Asks everything again from now on: rights change. */
  renew(): void {
    this.#answers.clear()
  }

  /** Whether an answer differs from the one with which the reader last got the whole recording. */
  get hasChanged(): boolean {
    return this.#hasChanged
  }

  async recording({ format, start, entries }: Recording): Promise<Recording> {
    this.#hasChanged = false
    return {
      format,
      start: await this.#answered(() => this.#moment(start)),
      entries: await this.entries(entries),
    }
  }

  /** The entries that the reader may see. An entry without hidden parts is returned as it was given. */
  entries(entries: readonly Entry[]): Promise<Entry[]> {
    return this.#answered(() => entries.flatMap((entry) => this.#entry(entry) ?? []))
  }

  /** Looks, and looks again once all questions of the first look have an answer. */
  async #answered<T>(look: () => T): Promise<T> {
    for (;;) {
      this.#open.clear()
      const seen = look()
      if (this.#open.size === 0) return seen
      await Promise.all(
        [...this.#open].map(async ([name, question]) => this.#keep(name, await this.#mayList(question))),
      )
    }
  }

  #keep(name: string, answer: boolean): void {
    this.#hasChanged ||= (this.#last.get(name) ?? answer) !== answer
    this.#last.set(name, answer)
    this.#answers.set(name, answer)
  }

  #may(question: ReadQuestion): boolean {
    const { kind, namespace = '' } = question
    const name = kind ? `${kind.apiVersion} ${kind.kind} ${namespace}` : ''
    const answer = this.#answers.get(name)
    if (answer === undefined) this.#open.set(name, question)
    return answer ?? false
  }

  #moment({ at, operator, disturbance, objects, queues, running }: Moment): Moment {
    return {
      at,
      operator,
      disturbance,
      objects: objects.filter((object) => this.#mayReadObject(object)),
      queues: queues.map((queue) => this.#queue(queue)),
      running: running.filter((run) => this.#mayListRequest(run)).map((run) => this.#started(run)),
    }
  }

  #entry(entry: Entry): Entry | undefined {
    switch (entry.type) {
      case 'object':
        return this.#mayReadObject(entry.object) ? entry : undefined
      case 'queue':
        return this.#queue(entry)
      case 'started':
        return this.#mayListRequest(entry) ? this.#started(entry) : undefined
      case 'ended': {
        if (!this.#mayListRequest(entry)) return undefined
        const writes = kept(entry.writes, (write) => this.#mayReadNamed(write))
        const reads = kept(entry.reads ?? [], (read) => this.#mayReadNamed(read))
        const logs = this.#logs(entry.logs ?? [])
        const isWhole =
          writes === entry.writes && reads === (entry.reads ?? reads) && logs === (entry.logs ?? logs)
        return isWhole ? entry : { ...entry, writes, reads, logs }
      }
      // They name the operator, its kinds, or the uid of an object.
      case 'operator':
      case 'disturbance':
      case 'gone':
        return entry
    }
  }

  /** Fields of a line may hold values of any object, so only a reader of everything sees them. */
  #logs(logs: readonly RecordedLog[]): readonly RecordedLog[] {
    if (logs.length === 0 || this.#may(EVERYTHING)) return logs
    return logs.map(({ at, level, message }) => ({ at, level, message }))
  }

  #queue<Q extends QueueState>(queue: Q): Q {
    const { controller } = queue
    const shown = kept(queue.requests, ({ request }) => this.#mayListRequest({ controller, request }))
    const requests = shown.map((each) => this.#withoutHiddenCause(each))
    const isWhole = shown === queue.requests && requests.every((each, index) => each === shown[index])
    return isWhole ? queue : { ...queue, requests }
  }

  #withoutHiddenCause<R extends QueueState['requests'][number]>(request: R): R {
    if (!request.cause || this.#mayReadCause(request.cause)) return request
    return { ...request, cause: undefined, reason: undefined }
  }

  #started<R extends StartedRun>(run: R): R {
    const readable = run.causes.map((cause) => this.#mayReadCause(cause))
    const hidden = readable.filter((isReadable) => !isReadable).length
    if (hidden === 0) return run
    return {
      ...run,
      causes: run.causes.filter((_, index) => readable[index]),
      reasons: run.reasons.filter((_, index) => readable[index]),
      omittedCauses: run.omittedCauses + hidden,
    }
  }

  #mayListRequest({
    controller,
    request,
  }: {
    controller: string
    request: { namespace?: string | undefined }
  }): boolean {
    const kind = this.#kindOf(controller)
    return this.#may(kind ? { kind, namespace: request.namespace } : EVERYTHING)
  }

  #mayReadObject({ apiVersion, kind, metadata }: RecordedObject): boolean {
    return this.#may({ kind: { apiVersion, kind }, namespace: metadata.namespace })
  }

  #mayReadNamed({
    apiVersion,
    kind,
    namespace,
  }: KindName & { readonly namespace?: string | undefined }): boolean {
    return this.#may({ kind: { apiVersion, kind }, namespace })
  }

  #mayReadCause(cause: Cause): boolean {
    if (!('object' in cause)) return true
    // A kind that is not shown is known by its name alone, so only a reader of everything sees it.
    const kinds = this.#kinds.filter(({ kind }) => kind === cause.kind)
    if (kinds.length === 0) return this.#may(EVERYTHING)
    const { namespace } = cause.object
    return kinds.every((kind) => this.#may({ kind, namespace }))
  }
}

/** The items that are shown; the list itself where all of them are. */
function kept<T>(items: readonly T[], isShown: (item: T) => boolean): readonly T[] {
  return items.every(isShown) ? items : items.filter(isShown)
}
