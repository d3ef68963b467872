import { checkOptionNames, optionNames, type Clock } from '@homeostat/api'
import { createClient, type Activity, type ActivityEvent, type Transport } from 'homeostat'
import { ObjectFeed } from './objects/index.ts'
import {
  Recorder,
  withReasons,
  type Disturbance,
  type KindName,
  type OperatorAction,
} from './recording/index.ts'
import { openInBrowser, PageServer } from './server/index.ts'

export interface DashboardOptions {
  /** How to reach the cluster whose objects are shown. Its user is the one who reads and writes. It is not closed. */
  transport: Transport
  clock: Clock
  /** Where the page is served, on 127.0.0.1. Default: any port that is free. */
  port?: number | undefined
  /** Does something to the operator. Default: the page does not offer it. */
  onOperatorAction?: ((action: OperatorAction) => unknown) | undefined
}

const DASHBOARD_OPTIONS = optionNames<DashboardOptions>('Dashboard', {
  transport: true,
  clock: true,
  port: true,
  onOperatorAction: true,
})

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

/** A page that shows an operator at work: its objects, reconciles and queues, now and before. */
export class Dashboard implements AsyncDisposable {
  readonly #recorder: Recorder
  readonly #feed: ObjectFeed
  readonly #server: PageServer
  #shown: ShownOperator | undefined

  private constructor(recorder: Recorder, feed: ObjectFeed, server: PageServer) {
    this.#recorder = recorder
    this.#feed = feed
    this.#server = server
  }

  /** Serves the page on loopback until the result is disposed of. */
  static async start(options: DashboardOptions): Promise<Dashboard> {
    checkOptionNames(options, DASHBOARD_OPTIONS)
    const { transport, clock, port, onOperatorAction } = options
    const recorder = new Recorder({ clock })
    const client = createClient({ transport, clock, fieldManager: 'homeostat-page' })
    const server = await PageServer.start({ clock, recorder, client, operator: onOperatorAction, port })
    return new Dashboard(recorder, new ObjectFeed({ transport, client, clock, recorder }), server)
  }

  /** What to open in a browser. It lets the browser in: print it for the user alone. */
  get address(): string {
    return this.#server.address
  }

  /** An address that works once: for the command that opens a browser, which other users of the machine may see. */
  singleAddress(): string {
    return this.#server.singleAddress()
  }

  /** Opens the page in the user's browser. Calls back where the machine has no program for that. */
  openInBrowser(onFailure: () => void): void {
    openInBrowser(this.singleAddress(), onFailure)
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
    this.#recorder.add({ type: 'disturbance', isPaused, api })
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
    this.#recorder.add(withReasons(event), event.at)
  }

  #tellOperator(isRunning: boolean): void {
    if (!this.#shown) return
    const { name, kinds, actions = [] } = this.#shown
    this.#recorder.add({ type: 'operator', name, kinds, actions, isRunning })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
    await this.#feed[Symbol.asyncDispose]()
  }
}
