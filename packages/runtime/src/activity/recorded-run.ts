import { apiVersionOf, firstCodePlace, type AnyKind, type Clock, type ObjectKey } from '@homeostat/api'
import type { ObjectWritten } from '../apply/index.ts'
import type { WorkItem } from '../queue/index.ts'
import type { Cause } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/index.ts'
import type { ReconcileEnded, RecordedLog, RecordedRead, RecordedWrite } from './activity-event.ts'
import type { Activity } from './activity.ts'
import { callingLine } from './calling-line.ts'
import { RecordedLogger } from './recorded-logger.ts'
import { recordedWrite, shortMessage } from './recorded-write.ts'

const MOST_WRITES = 50
const MOST_READS = 50
const MOST_LOGS = 50

/** One reconcile, from its start to its end, as an activity records it. */
export class RecordedRun {
  readonly #activity: Activity
  readonly #clock: Clock
  readonly #about: { readonly controller: string; readonly request: ObjectKey; readonly reconcileID: string }
  readonly #writes: RecordedWrite[] = []
  #omittedWrites = 0
  readonly #reads = new Map<string, RecordedRead>()
  #omittedReads = 0
  readonly #logs: RecordedLog[] = []
  #omittedLogs = 0

  constructor(
    activity: Activity,
    clock: Clock,
    about: { readonly controller: string; readonly request: ObjectKey; readonly reconcileID: string },
    kind: AnyKind | undefined,
    { causes, omittedCauses, waited }: WorkItem<Cause>,
  ) {
    this.#activity = activity
    this.#clock = clock
    this.#about = about
    const named = kind && { apiVersion: apiVersionOf(kind), kind: kind.kind }
    activity.record(clock, { type: 'started', ...about, ...named, causes, omittedCauses, waited })
  }

  wrote(write: ObjectWritten): void {
    if (this.#writes.length < MOST_WRITES) this.#writes.push({ ...recordedWrite(write), line: callingLine() })
    else this.#omittedWrites++
  }

  /** The reconcile reads an object, or a list where there is no key. */
  read(kind: AnyKind, key: ObjectKey | undefined): void {
    const apiVersion = apiVersionOf(kind)
    const name = `${apiVersion} ${kind.kind} ${key?.namespace ?? ''} ${key?.name ?? ''}`
    if (this.#reads.has(name)) return
    if (this.#reads.size >= MOST_READS) this.#omittedReads++
    else this.#reads.set(name, { apiVersion, kind: kind.kind, namespace: key?.namespace, name: key?.name })
  }

  /** A logger that also records what is logged. */
  logger(inner: Logger): Logger {
    return new RecordedLogger(inner, this.#clock, (line) => {
      if (this.#logs.length < MOST_LOGS) this.#logs.push(line)
      else this.#omittedLogs++
    })
  }

  ended(
    report: Pick<ReconcileEnded, 'result' | 'duration' | 'next' | 'traceID' | 'isLoop'> & {
      readonly error?: unknown
    },
  ): void {
    const { error, ...rest } = report
    this.#activity.record(this.#clock, {
      type: 'ended',
      ...this.#about,
      ...rest,
      error: error === undefined ? undefined : shortMessage(error),
      line: error instanceof Error ? firstCodePlace(error.stack) : undefined,
      writes: this.#writes,
      omittedWrites: this.#omittedWrites,
      reads: [...this.#reads.values()],
      omittedReads: this.#omittedReads,
      // Lines about the end itself follow.
      logs: [...this.#logs],
      omittedLogs: this.#omittedLogs,
    })
  }
}
