import type {
  Disturbance,
  Entry,
  Moment,
  OperatorChanged,
  QueueState,
  RecordedObject,
  StartedRun,
} from './entry.ts'

/** The state that entries lead to, one after the other. */
export class MomentState {
  at: number
  operator: OperatorChanged | undefined
  disturbance: Disturbance
  readonly objects = new Map<string, RecordedObject>()
  readonly queues = new Map<string, QueueState>()
  readonly running = new Map<string, StartedRun & { readonly at: number }>()

  constructor(start: Moment) {
    this.at = start.at
    this.operator = start.operator
    this.disturbance = start.disturbance ?? { isPaused: false, api: 'normal' }
    for (const object of start.objects) this.objects.set(object.metadata.uid, object)
    for (const queue of start.queues) this.queues.set(queue.controller, queue)
    for (const run of start.running) this.running.set(run.reconcileID, run)
  }

  apply(entry: Entry): void {
    this.at = entry.at
    switch (entry.type) {
      case 'object':
        this.objects.set(entry.object.metadata.uid, entry.object)
        break
      case 'gone':
        this.objects.delete(entry.uid)
        break
      case 'queue':
        this.queues.set(entry.controller, entry)
        break
      case 'disturbance':
        this.disturbance = { isPaused: entry.isPaused, api: entry.api }
        break
      case 'started':
        this.running.set(entry.reconcileID, entry)
        break
      case 'ended':
        this.running.delete(entry.reconcileID)
        break
      case 'operator':
        // The queues and running reconciles of an operator end with it.
        if (!entry.isRunning || !this.operator?.isRunning) {
          this.running.clear()
          this.queues.clear()
        }
        this.operator = entry
    }
  }

  moment(): Moment {
    return {
      at: this.at,
      operator: this.operator,
      disturbance: this.disturbance,
      objects: [...this.objects.values()],
      queues: [...this.queues.values()],
      running: [...this.running.values()],
    }
  }
}
