import { formatKey, type AnyKind, type Clock, type ObjectKey, type Pausable } from '@homeostat/api'
import type { RecordedRun } from '../activity/index.ts'
import type { Client } from '../client/index.ts'
import type { FieldsWritten, ObjectWritten } from '../apply/index.ts'
import type { WorkItem } from '../queue/index.ts'
import {
  type Cause,
  type EventRecorder,
  explainFrozenObject,
  type ReconcileContext,
  reconcileId,
} from '../reconcile/index.ts'
import type { Logger, Metrics } from '../telemetry/index.ts'
import type { ControllerEnvironment, ReconcileCaller } from './environment.ts'
import type { ReconcileWarnings } from './reconcile-warnings.ts'
import type { ReconcileRun } from './reconcile-run.ts'
import type { ChainedRun, RequestPacing, SelfCausedRuns, WriteChains } from '../guards/index.ts'

/** Detects requests of a controller that cause each other without end, and warns of them. */
export interface RunGuards {
  readonly warnings: ReconcileWarnings
  readonly pacing: RequestPacing
  readonly selfCaused: SelfCausedRuns
  readonly chains: WriteChains
}

/** The context of one run. Its parts are created when the reconcile first uses them. */
export class RunContext implements ReconcileContext {
  readonly #run: ReconcileRun
  readonly fieldManager: string
  readonly #environment: ControllerEnvironment
  readonly #request: ObjectKey
  readonly #controllerLog: Logger
  readonly #guards: RunGuards
  readonly #key: string
  /** The run among those that cause each other. */
  readonly chained: ChainedRun
  /** The first objects that the run read, as alternating entries: a kind, then a key, or undefined for a list. */
  readonly #reads: (AnyKind | ObjectKey | undefined)[] = []
  #slowed = false
  #hasWarned = false
  #events: EventRecorder | undefined
  readonly causes: readonly Cause[]
  #reconcileID: string | undefined
  #log: Logger | undefined
  #client: Client | undefined
  /** Where the run is recorded, if anywhere. Set before the reconcile starts. */
  recorded: RecordedRun | undefined

  constructor(
    run: ReconcileRun,
    item: WorkItem<Cause>,
    request: ObjectKey,
    controller: string,
    environment: ControllerEnvironment,
    log: Logger,
    guards: RunGuards,
  ) {
    this.#run = run
    this.fieldManager = controller
    this.#environment = environment
    this.#request = request
    this.#controllerLog = log
    this.#guards = guards
    this.#key = item.key
    this.chained = guards.chains.started(`${controller} ${item.key}`, item)
    this.causes = item.causes
  }

  get reconcileID(): string {
    return (this.#reconcileID ??= reconcileId(this.#environment.clock))
  }

  get log(): Logger {
    return (this.#log ??= this.#createLog())
  }

  get client(): Client {
    return (this.#client ??= this.#environment.client(new RunCaller(this.#run, this)))
  }

  get signal(): AbortSignal {
    return this.#run.signal
  }

  get clock(): Clock {
    return this.#run.clock
  }

  get events(): EventRecorder {
    return (this.#events ??= this.#eventRecorder())
  }

  /** Whether the reconcile has recorded a warning itself, which tells users more than the controller could. */
  get hasWarned(): boolean {
    return this.#hasWarned
  }

  get metrics(): Metrics {
    return this.#environment.metrics
  }

  /** The reconcile reads an object, or a list where there is no key. */
  noteRead(kind: AnyKind, key: ObjectKey | undefined): void {
    if (this.#reads.length < 2 * MOST_READS) this.#reads.push(kind, key)
    this.recorded?.read(kind, key)
  }

  /** The error that the reconcile threw, with an explanation where it tried to change a frozen object. */
  explain(error: unknown): unknown {
    return explainFrozenObject(error, 'the reconcile', describeReads(this.#reads))
  }

  fieldsWritten(write: FieldsWritten): void {
    this.#guards.warnings.fieldsWritten(this.#request, write, this)
  }

  /** The run is about to write. */
  beforeWrite(): void {
    this.#run.assertMayWrite()
    this.#guards.selfCaused.willWrite(this.#key)
  }

  /** Records that a write of the run produced this version, or deleted the object with this uid. */
  afterWrite(version: string): void {
    this.#guards.selfCaused.wrote(this.#key, version)
    this.#guards.chains.wrote(this.chained, version)
  }

  /**
   * Slows the request down to an interval of at least this many milliseconds. Several calls in one run count as one.
   */
  slowDown(atLeast?: number): void {
    if (this.#slowed) return
    this.#slowed = true
    this.#guards.pacing.slowDown(this.#key, atLeast)
  }

  #createLog(): Logger {
    const log = this.#controllerLog.child({ ...this.#request, reconcileID: this.reconcileID })
    return this.recorded ? this.recorded.logger(log) : log
  }

  #eventRecorder(): EventRecorder {
    const recorder = this.#environment.events(this.fieldManager)
    return {
      normal: (...event) => recorder.normal(...event),
      warning: (...event) => {
        this.#hasWarned = true
        recorder.warning(...event)
      },
    }
  }
}

/** How many of the objects that a run read a message names. */
const MOST_READS = 3

/** A run as its client sees it. */
class RunCaller implements ReconcileCaller {
  readonly #run: ReconcileRun
  readonly #context: RunContext

  constructor(run: ReconcileRun, context: RunContext) {
    this.#run = run
    this.#context = context
  }

  get fieldManager(): string {
    return this.#context.fieldManager
  }

  /** The id is created when it is first read. */
  get reconcile(): { readonly reconcileID: string } {
    return this.#context
  }

  onRead(kind: AnyKind, key: ObjectKey | undefined): void {
    this.#context.noteRead(kind, key)
  }

  get logger(): Logger {
    return this.#context.log
  }

  get clock(): Clock {
    return this.#run.clock
  }

  get waiting(): Pausable {
    return this.#run
  }

  get signal(): AbortSignal {
    return this.#run.signal
  }

  onFieldsWritten(write: FieldsWritten): void {
    this.#context.fieldsWritten(write)
  }

  get onWrite(): ((write: ObjectWritten) => void) | undefined {
    const { recorded } = this.#context
    return recorded && ((write) => recorded.wrote(write))
  }

  beforeWrite(): void {
    this.#context.beforeWrite()
  }

  afterWrite(version: string): void {
    this.#context.afterWrite(version)
  }

  slowDown(): void {
    this.#context.slowDown()
  }
}

function describeReads(reads: readonly (AnyKind | ObjectKey | undefined)[]): string[] {
  const names = new Set<string>()
  for (let index = 0; index < reads.length; index += 2) {
    const { kind } = reads[index] as AnyKind
    const key = reads[index + 1] as ObjectKey | undefined
    names.add(key ? `${kind} ${formatKey(key)}` : `a list of ${kind} objects`)
  }
  return [...names]
}
