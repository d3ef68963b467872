import type { Clock, ObjectKey } from '@homeostat/api'
import type { ObjectWritten } from '../apply/index.ts'
import type { WorkItem } from '../queue/index.ts'
import type { Cause } from '../reconcile/index.ts'
import type { ReconcileEnded, RecordedWrite } from './activity-event.ts'
import type { Activity } from './activity.ts'
import { recordedWrite, shortMessage } from './recorded-write.ts'

const MOST_WRITES = 50

/** One reconcile, from its start to its end, as an activity records it. */
export class RecordedRun {
  readonly #activity: Activity
  readonly #clock: Clock
  readonly #about: { readonly controller: string; readonly request: ObjectKey; readonly reconcileID: string }
  readonly #writes: RecordedWrite[] = []
  #omittedWrites = 0

  constructor(
    activity: Activity,
    clock: Clock,
    about: { readonly controller: string; readonly request: ObjectKey; readonly reconcileID: string },
    { causes, omittedCauses, waited }: WorkItem<Cause>,
  ) {
    this.#activity = activity
    this.#clock = clock
    this.#about = about
    activity.record(clock, { type: 'started', ...about, causes, omittedCauses, waited })
  }

  wrote(write: ObjectWritten): void {
    if (this.#writes.length < MOST_WRITES) this.#writes.push(recordedWrite(write))
    else this.#omittedWrites++
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
      writes: this.#writes,
      omittedWrites: this.#omittedWrites,
    })
  }
}
