import { checkOptionNames, optionNames, type Clock } from '@homeostat/api'
import type { Activity, ActivityEvent, Transport } from 'homeostat'
import { OperatorRecording, type ShownOperator } from './operator-recording.ts'
import type { Disturbance, OperatorAction } from './recording/index.ts'
import { openInBrowser, PageServer } from './server/index.ts'

export interface DashboardOptions {
  /** How to reach the cluster whose objects are shown. The page reads and writes as its user, and does not close it. */
  transport: Transport
  clock: Clock
  /** The port of the page on 127.0.0.1. Default: any free port. */
  port?: number | undefined
  /** Carries out an action on the operator. Default: the page offers no actions. */
  onOperatorAction?: ((action: OperatorAction) => unknown) | undefined
}

const DASHBOARD_OPTIONS = optionNames<DashboardOptions>('Dashboard', {
  transport: true,
  clock: true,
  port: true,
  onOperatorAction: true,
})

/** A page that shows an operator at work: its objects, reconciles and queues, now and before. */
export class Dashboard implements AsyncDisposable {
  readonly #recording: OperatorRecording
  readonly #server: PageServer

  private constructor(recording: OperatorRecording, server: PageServer) {
    this.#recording = recording
    this.#server = server
  }

  /** Serves the page on loopback until the result is disposed of. */
  static async start(options: DashboardOptions): Promise<Dashboard> {
    checkOptionNames(options, DASHBOARD_OPTIONS)
    const { transport, clock, port, onOperatorAction } = options
    const recording = new OperatorRecording({ transport, clock })
    const { recorder, client } = recording
    const server = await PageServer.start({ clock, recorder, client, operator: onOperatorAction, port })
    return new Dashboard(recording, server)
  }

  /** The address to open in a browser. It gives access to the page, so show it only to the user. */
  get address(): string {
    return this.#server.address
  }

  /**
   * An address that works once. It is for the command that opens a browser, because other users of the
   * machine may see that command.
   */
  singleAddress(): string {
    return this.#server.singleAddress()
  }

  /** Opens the page in the user's browser. Calls back where the machine has no program for that. */
  openInBrowser(onFailure: () => void): void {
    openInBrowser(this.singleAddress(), onFailure)
  }

  /** An operator has started: its kinds are watched from now on. */
  operatorStarted(operator: ShownOperator): void {
    this.#recording.operatorStarted(operator)
  }

  /** Records that the operator has ended or crashed, and with it the reconciles that were running. */
  operatorEnded(): void {
    this.#recording.operatorEnded()
  }

  /** A user paused or resumed the operator, or changed how the API answers it. */
  operatorDisturbed(disturbance: Disturbance): void {
    this.#recording.operatorDisturbed(disturbance)
  }

  /** Records what a manager in this process does, until the result is disposed of. */
  follow(activity: Activity): Disposable {
    return this.#recording.follow(activity)
  }

  /** Records what a manager did, such as one in another process. */
  record(event: ActivityEvent): void {
    this.#recording.record(event)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]()
    await this.#recording[Symbol.asyncDispose]()
  }
}
