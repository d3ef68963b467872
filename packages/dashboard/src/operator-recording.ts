import type { Clock } from '@homeostat/api'
import { createClient, type Activity, type ActivityEvent, type Client, type Transport } from 'homeostat'
import { ObjectFeed } from './objects/index.ts'
import {
  Recorder,
  withReasons,
  type Disturbance,
  type KindName,
  type OperatorAction,
} from './recording/index.ts'

/** The operator that a page shows. */
export interface ShownOperator {
  readonly name: string
  /** The kinds that it reconciles. */
  readonly kinds: readonly KindName[]
  /** The kinds of the objects that it makes for those. */
  readonly owned: readonly KindName[]
  /** Kinds whose objects are shown at the top unless another object owns them. Default: none. */
  readonly others?: readonly KindName[] | undefined
  /**
   * The names of the controllers to show. Other controllers of the same manager, such as those that renew certificates,
   * are hidden. Default: all.
   */
  readonly controllers?: readonly string[] | undefined
  /** What the page offers to do to it; needs `onOperatorAction`. Default: nothing. */
  readonly actions?: readonly OperatorAction[] | undefined
}

/**
 * The recording of an operator that a page shows. It grows while the operator runs, and needs no port, so it also works
 * in a browser.
 */
export class OperatorRecording implements AsyncDisposable {
  readonly recorder: Recorder
  /** Reads and writes what the page shows. */
  readonly client: Client
  readonly #feed: ObjectFeed
  #shown: ShownOperator | undefined

  constructor({
    transport,
    clock,
    spacing,
  }: {
    readonly transport: Transport
    readonly clock: Clock
    /** The least time between two entries: see `RecorderOptions`. */
    readonly spacing?: number | undefined
  }) {
    this.recorder = new Recorder({ clock, spacing })
    this.client = createClient({ transport, clock, fieldManager: 'homeostat-page' })
    this.#feed = new ObjectFeed({ transport, client: this.client, clock, recorder: this.recorder })
  }

  /** An operator has started: its kinds are watched from now on. */
  operatorStarted(operator: ShownOperator): void {
    this.#shown = operator
    const { kinds, owned, others = [] } = operator
    this.#tellOperator(true)
    this.#feed.watch([...kinds, ...owned, ...others])
  }

  /** Records that the operator has ended or crashed, and with it the reconciles that were running. */
  operatorEnded(): void {
    this.#tellOperator(false)
  }

  /** A user paused or resumed the operator, or changed how the API answers it. */
  operatorDisturbed({ isPaused, api }: Disturbance): void {
    this.recorder.add({ type: 'disturbance', isPaused, api })
  }

  /** Records what a manager in this process does, until the result is disposed of. */
  follow(activity: Activity): Disposable {
    for (const event of activity.events()) this.record(event)
    return activity.listen((event) => this.record(event))
  }

  /** Records what a manager did, such as one in another process. */
  record(event: ActivityEvent): void {
    if (!this.#shown) return
    const { controllers } = this.#shown
    if (controllers && !controllers.includes(event.controller)) return
    this.recorder.add(withReasons(event), event.at)
  }

  #tellOperator(isRunning: boolean): void {
    if (!this.#shown) return
    const { name, kinds, others, actions = [] } = this.#shown
    this.recorder.add({ type: 'operator', name, kinds, others, actions, isRunning })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#feed[Symbol.asyncDispose]()
  }
}
