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
  /**
   * The names of its controllers. What others of the same manager do, such as those that keep certificates, is not shown. Default: all
   * controllers are shown.
   */
  readonly controllers?: readonly string[] | undefined
  /** What the page offers to do to it; needs `onOperatorAction`. Default: nothing. */
  readonly actions?: readonly OperatorAction[] | undefined
}

/** What a page shows of an operator, as a recording that grows. It needs no port, so that a program in a browser has one too. */
export class OperatorRecording implements AsyncDisposable {
  readonly recorder: Recorder
  /** Reads and writes what the page shows. */
  readonly client: Client
  readonly #feed: ObjectFeed
  #shown: ShownOperator | undefined

  constructor({ transport, clock }: { readonly transport: Transport; readonly clock: Clock }) {
    this.recorder = new Recorder({ clock })
    this.client = createClient({ transport, clock, fieldManager: 'homeostat-page' })
    this.#feed = new ObjectFeed({ transport, client: this.client, clock, recorder: this.recorder })
  }

  /** An operator has started: its kinds are watched from now on. */
  operatorStarted(operator: ShownOperator): void {
    this.#shown = operator
    const { kinds, owned } = operator
    this.#tellOperator(true)
    this.#feed.watch([...kinds, ...owned])
  }

  /** The operator has ended, or crashed: what it was doing is over. */
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
    const { name, kinds, actions = [] } = this.#shown
    this.recorder.add({ type: 'operator', name, kinds, actions, isRunning })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#feed[Symbol.asyncDispose]()
  }
}
