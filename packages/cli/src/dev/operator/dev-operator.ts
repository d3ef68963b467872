import { SystemClock, apiVersionOf } from '@homeostat/api'
import {
  Activity,
  createLogger,
  operatorDefinitions,
  operatorManager,
  type ActivityEvent,
  type Manager,
  type Operator,
} from 'homeostat'
import { loadOperator } from '../../project/index.ts'
import { DisturbedTransport } from './disturbed-transport.ts'
import { Gate } from './gate.ts'
import { PreparedConnection } from './prepared-connection.ts'
import type { OperatorDescription, Order, Report } from './messages.ts'
import { ReconcileLog, summaryLines } from './reconcile-log.ts'

/** Events within this time, in milliseconds, are reported together. */
const TOGETHER = 20
/** How long samples wait for the installation of webhooks, in milliseconds. */
const WEBHOOKS_WAIT = 10_000

/** The operator of this process, from its load to its end. */
class DevOperator {
  readonly #clock = new SystemClock()
  readonly #stop = new AbortController()
  readonly #connection = new PreparedConnection(this.#clock)
  #operator: Operator | undefined
  #gate: Gate | undefined
  #transport: DisturbedTransport | undefined

  async obey(order: Order): Promise<void> {
    if (order.type === 'connect') await this.#connection.prepare(order)
    else if (order.type === 'load') {
      this.#operator = (await loadOperator(order.cwd, order.file)).operator
      report({ type: 'loaded', operator: describe(this.#operator) })
    } else if (order.type === 'start') await this.#start(order)
    else if (order.type === 'pause' || order.type === 'resume') this.#turn(order.type === 'pause')
    else if (order.type === 'api') {
      if (this.#transport) this.#transport.state = order.state
    } else if (order.type === 'step') this.#gate?.step()
    else if (this.#stop.signal.aborted || !this.#gate) process.exit(0)
    else this.#stop.abort()
  }

  /** Reports to the page what the manager does. Events in quick succession are sent as one message. */
  #activity(): Activity {
    // The process that shows the page keeps the events.
    const activity = new Activity({ limit: 100 })
    let events: ActivityEvent[] = []
    activity.listen((event) => {
      if (events.push(event) > 1) return
      this.#clock.schedule(TOGETHER, () => {
        report({ type: 'activity', events })
        events = []
      })
    })
    return activity
  }

  #turn(isClosed: boolean): void {
    if (isClosed) this.#gate?.close()
    else this.#gate?.open()
    report({ type: 'gate', isClosed })
  }

  /** Reports that samples can be applied: with webhooks only when the API server calls them, or their log says why not. */
  async #reportStart(manager: Manager): Promise<void> {
    await manager.synced
    const signal = this.#stop.signal
    await Promise.race([manager.webhooksInstalled, this.#clock.sleep(WEBHOOKS_WAIT, { signal })])
    report({ type: 'started' })
  }

  async #start({ kubeconfig, context, paused, api }: Order & { type: 'start' }): Promise<void> {
    if (!this.#operator) return
    const { controllers } = this.#operator
    const clock = this.#clock
    const log = new ReconcileLog(controllers)
    const gate = new Gate({ isClosed: paused, onHeld: (what) => report({ type: 'held', what }) })
    this.#gate = gate
    const guarded = { ...this.#operator, controllers: controllers.map((each) => gate.guard(each)) }
    const transport = new DisturbedTransport(
      log.observe(await this.#connection.take({ kubeconfig, context })),
      clock,
    )
    transport.state = api
    this.#transport = transport
    const write = (line: string): void => void process.stderr.write(line)
    const manager = operatorManager(guarded, {
      transport,
      clock,
      logger: createLogger({ clock, level: 'warn', format: 'text', write }),
      leaderElection: undefined,
      // The session serves a page, which does not end with this process.
      page: undefined,
      activity: this.#activity(),
      onReconcile: (each) => {
        const summary = log.summarize(each)
        if (!summary) return
        report({ type: 'reconciled', lines: summaryLines(summary), failed: each.error !== undefined })
      },
    })
    const running = manager.start({ signal: this.#stop.signal })
    await Promise.race([this.#reportStart(manager), running])
    await running
    // The next version need not wait for the end of the process: this one writes nothing more.
    report({ type: 'stopped' })
    await transport.close()
    process.exit(0)
  }
}

function describe(given: Operator): OperatorDescription {
  const owned = given.controllers.flatMap(({ watches }) =>
    watches.flatMap((watch) => (watch.role === 'owns' ? [nameOf(watch.kind)] : [])),
  )
  return {
    name: given.name,
    controllers: given.controllers.map(({ name }) => name),
    definitions: operatorDefinitions(given),
    samples: given.samples,
    owned,
    kinds: given.kinds.map(nameOf),
  }
}

function nameOf(kind: Operator['kinds'][number]) {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind }
}

function report(message: Report): void {
  process.send?.(message)
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  process.send?.({ type: 'failed', message } satisfies Report, undefined, {}, () => process.exit(1))
}

/**
 * Carries out the session's orders. The session starts this process ahead of time. The process loads the operator on request, and ends
 * with the session.
 */
export function obeySession(): void {
  const operator = new DevOperator()
  // Ctrl-C reaches all processes of a terminal. This one ignores it: the session ends it.
  process.on('SIGINT', () => undefined)
  process.on('disconnect', () => process.exit(0))
  process.on('message', (order: Order) => void operator.obey(order).catch(fail))
}
