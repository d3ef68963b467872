import {
  checkOptionNames,
  HomeostatError,
  optionNames,
  type AnyKind,
  type ApiHandler,
  type Duration,
  type SimulatedClock,
} from '@homeostat/api'
import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  createClient,
  directTransport,
  isOperator,
  operator,
  resolveOperator,
  silentLogger,
  type Client,
  type ServerFields,
  type Controller,
  type Logger,
  type LogLevel,
  type Manager,
  type Operator,
  type OperatorManagerOptions,
  type OperatorSource,
  type ReconcileReport,
  type Transport,
  type Webhook,
} from 'homeostat'
import { NAMESPACE_CONTROLLER } from '../controllers/index.ts'
import { garbageCollector } from '../garbage-collector/index.ts'
import { onTestFailed } from './failed-test.ts'
import { Findings, type Finding } from './findings.ts'
import { Faults } from './faults/faults.ts'
import { operatorLogger, print } from './operator-logger.ts'
import { installKinds, MountedWebhooks } from './mounted-webhooks.ts'
import { OperatorAccount } from './rights/operator-account.ts'
import { OperatorStory } from './operator-story.ts'
import { OperatorProcess } from './operator-process.ts'
import { OperatorWaits } from './operator-waits.ts'
import { OperatorWrites } from './operator-writes.ts'

/** How an operator is tested. */
export interface OperatorTestSettings {
  /**
   * Further kinds whose definitions exist from the start, such as those of another operator. Several versions of a kind
   * become one definition, which stores the last of them. Default: none.
   */
  readonly kinds?: readonly AnyKind[] | undefined
  /**
   * Further setup of the manager: `(manager) => manager.addRunnable('server', serve)`. It is called for each
   * process, before the manager starts. Default: none.
   */
  readonly setup?: ((manager: Manager) => unknown) | undefined
  /**
   * The rights of the operator. `'declared'`: those of `manager.rules()`, as on a cluster with its role; if that is not
   * enough, the test fails with code `RIGHT_NOT_DECLARED` and the line to add. `'all'`: everything. Default:
   * `'declared'`.
   */
  readonly rights?: 'declared' | 'all' | undefined
  /** Options of the manager, which take precedence over those of the operator. Default: none. */
  readonly manager?: OperatorManagerOptions | undefined
  /**
   * Whether the garbage collector of Kubernetes runs: it deletes objects whose owners are gone, and performs
   * foreground deletion. It watches every kind, so a simulated day takes seconds instead of a tenth of a second.
   * Default: false.
   */
  readonly garbageCollector?: boolean | undefined
  /**
   * Wraps the transport between each process of the operator and the server: to count requests, or to make some
   * fail. `wrapTransport` of `homeostat` makes one from a function. Default: none.
   */
  readonly transport?: ((inner: Transport, test: OperatorTest) => Transport) | undefined
  /**
   * Whether the operator's logs are printed, with the time of the test's clock; a level prints lines of this level
   * and above, and `false` prints nothing. Default: a test that fails under vitest or `node:test` prints what the
   * operator did last; other tests print nothing.
   */
  readonly logs?: boolean | LogLevel | undefined
  /** Gets the operator's logs, whether they are printed or not. Default: none. */
  readonly logger?: Logger | undefined
}

/** A test of parts of an operator, such as a single controller. */
export interface OperatorTestOptions extends OperatorTestSettings {
  /**
   * The controllers. Give a function if they keep something in memory, such as a connection or a map: it is called
   * for each process, so that `restart` and `crash` lose what a real process would lose.
   */
  readonly controllers: readonly Controller[] | (() => readonly Controller[] | Promise<readonly Controller[]>)
  /**
   * The webhooks. The server calls them without a port or a certificate, while the operator runs; after `stop` or
   * `kill` they cannot be reached. Default: none.
   */
  readonly webhooks?: readonly Webhook[] | undefined
}

const SETTINGS = {
  kinds: true,
  setup: true,
  rights: true,
  manager: true,
  garbageCollector: true,
  transport: true,
  logs: true,
  logger: true,
} as const
const TEST_SETTINGS = optionNames<OperatorTestSettings>('OperatorTest.start', SETTINGS, {
  controllers: 'give the controllers to operator()',
  webhooks: 'give the webhooks to operator()',
})
const TEST_OPTIONS = optionNames<OperatorTestOptions>('OperatorTest.start', {
  ...SETTINGS,
  controllers: true,
  webhooks: true,
})

/** Distinguishes the operator's requests from the test's own. */
const OPERATOR = 'operator'

/**
 * An operator on its own API server, in this process and under simulated time: the operator works only while the test
 * waits in `settle` or `advance`. No Pods and no other controllers run here: a test writes their status itself. To run
 * them, start a `Cluster`.
 */
export class OperatorTest implements AsyncDisposable {
  /** Reads and writes as the test, never through the operator's cache. */
  readonly client: Client<ServerFields>
  /** Carries the test's own requests: for a further client or manager. */
  readonly transport: Transport
  /** The server, for requests without a client. */
  readonly environment: TestEnvironment
  /** Injects faults into the operator's requests: a watch that is behind, a write that fails. */
  readonly faults: Faults
  readonly #source: OperatorSource
  readonly #settings: OperatorTestSettings
  readonly #webhooks: MountedWebhooks
  readonly #account: OperatorAccount | undefined
  /** Undefined where no failing test prints it. */
  readonly #story: OperatorStory | undefined
  readonly #findings = new Findings()
  readonly #logger: Logger
  readonly #waits: OperatorWaits
  readonly #reports: ReconcileReport[] = []
  readonly #sent = new OperatorWrites((kind, name) =>
    this.environment.objects.get(kind, { namespace: kind.namespace, name }),
  )
  readonly #killed: OperatorProcess[] = []
  #process: OperatorProcess | undefined
  #garbageCollector: OperatorProcess | undefined
  #seen = 0

  private constructor(
    environment: TestEnvironment,
    source: OperatorSource,
    settings: OperatorTestSettings,
    electionNamespace: string | undefined,
  ) {
    const { clock, handler } = environment
    this.#webhooks = new MountedWebhooks(environment)
    this.environment = environment
    this.transport = directTransport(handler, { clock })
    this.client = createClient({ transport: this.transport, clock, fieldManager: 'test' })
    this.faults = new Faults((kind) => this.#versionOf(kind))
    this.#source = source
    this.#settings = settings
    const logger = operatorLogger(settings, clock)
    if (settings.logs === undefined) this.#story = new OperatorStory(clock)
    this.#logger = this.#findings.logger(this.#story?.logger(logger) ?? logger)
    if (settings.rights !== 'all') this.#account = new OperatorAccount(environment, electionNamespace)
    this.#waits = new OperatorWaits(environment, settings.kinds, () => this.#process)
  }

  /**
   * Tests an operator: the value that `operator()` returned, or a function that returns it. A function is called for
   * each process, so that `restart` and `crash` lose what a real process would lose. Resolves when the operator runs
   * and no work is left. To test parts of an operator, give its controllers instead.
   */
  static start(operator: OperatorSource, settings?: OperatorTestSettings): Promise<OperatorTest>
  static start(parts: OperatorTestOptions): Promise<OperatorTest>
  static async start(
    tested: OperatorSource | OperatorTestOptions,
    settings?: OperatorTestSettings,
  ): Promise<OperatorTest> {
    const [source, given] = sourceAndSettings(tested, settings)
    const first = await resolveOperator(source)
    const kinds = [...new Set([...(given.kinds ?? []), ...first.kinds])]
    const environment = await TestEnvironment.start({
      enforceOwnerReferences: given.rights !== 'all',
      // The server empties namespaces, unless the controller that does so is the one that is tested.
      finalizeNamespaces: !first.controllers.some(({ name }) => name === NAMESPACE_CONTROLLER),
    })
    const { leaderElection } = { ...first.manager, ...given.manager }
    const settled = { ...given, kinds }
    const test = new OperatorTest(environment, source, settled, leaderElection?.namespace)
    if (given.logs === undefined) onTestFailed(() => test.#printStory())
    try {
      await installKinds(environment, kinds, first.webhooks)
      if (given.garbageCollector) await test.#startGarbageCollector()
      await test.#start(first)
      return test
    } catch (error) {
      await test.close().catch(() => {})
      throw error
    }
  }

  get clock(): SimulatedClock {
    return this.environment.clock
  }

  /** Every reconcile so far: its object, its causes and its result. */
  get reports(): readonly ReconcileReport[] {
    return this.#reports
  }

  /**
   * Actions of the operator that would be expensive or wrong on a cluster. Examples are a read of a kind that nothing
   * watches, and a reconcile that failed by a mistake in the code, such as a `TypeError`, which a retry may hide.
   * Findings do not fail the test; `close` prints them.
   */
  get findings(): readonly Finding[] {
    return this.#findings.all
  }

  /**
   * Starts the operator after `stop` or `kill`, as a new process: with empty caches and no memory. Rejects with
   * code `OPERATOR_NOT_SYNCED` if the server refuses one of its watches.
   */
  async start(): Promise<void> {
    await this.#start()
  }

  async #start(first?: Operator): Promise<void> {
    if (this.#process) {
      throw new HomeostatError(
        'OPERATOR_RUNNING',
        'the operator is already running: call stop() or kill() first, or restart()',
      )
    }
    const process = await this.#launch(first)
    await this.settle()
    process.assertSynced()
  }

  /**
   * Stops the operator in an orderly way, as SIGTERM does. It waits for a reconcile that sleeps, for at most the
   * manager's `gracefulShutdownTimeout`, and moves the simulated time for that.
   */
  async stop(): Promise<void> {
    const process = this.#process
    this.#process = undefined
    await process?.stop()
    await this.#waits.throwRefusals(process)
    this.#waits.throwCallbackFailures()
  }

  /** Kills the operator as `kill -9` does. It may be called at any moment, also during a reconcile. */
  kill(): void {
    if (!this.#process) return
    this.#process.kill()
    this.#webhooks.kill()
    this.#killed.push(this.#process)
    this.#process = undefined
  }

  /** Stops the operator in an orderly way and starts it again as a new process. */
  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /**
   * Kills the operator as `kill -9` does, and starts it again. It may be called at any moment, also during a
   * reconcile: the new process counts as work under way, so that `settle` and `advance` wait for it.
   */
  async crash(): Promise<void> {
    using _ = this.clock.busy('the start of the operator after a crash')
    this.kill()
    await this.#launch()
  }

  /**
   * Waits until no work is left at the current simulated time. If the work does not end, it rejects with code
   * `RECONCILE_LOOP`, `ENDLESS_REQUESTS` or `CLOCK_STUCK`: the error names the controller, the object and what
   * keeps changing, or the reconcile that does not end. It rejects with code `RIGHT_NOT_DECLARED` when the operator
   * sent a request that its declared rules do not allow: the error names the line to add. It rejects with code
   * `CALLBACK_FAILED` when a mapping, a predicate, an index function or a transform threw: the error names the
   * object.
   */
  settle(): Promise<void> {
    return this.#waits.until((options) => this.environment.settle(options))
  }

  /** Lets time pass, and runs all work that falls due meanwhile. It rejects as `settle` does. */
  advance(duration: Duration): Promise<void> {
    return this.#waits.whileTimePasses((options) => this.environment.advance(duration, options))
  }

  /** The writes of the operator since the last call, except events: `create pods default`, `patch ats/status default/a`. */
  writes(): string[] {
    const news = this.#written(this.#seen).filter((write) => !write.includes(' events '))
    this.#seen = this.environment.writes.length
    return news
  }

  /**
   * Fails if the operator sends a write request, including events, while `action` runs and until no work is left:
   * the message names each request, the reconcile that sent it, its causes and the fields that it changed. Without an action the operator is
   * restarted, which reconciles every object once more: a reconcile that has nothing to do must send nothing.
   */
  async expectNoWrites(action: () => unknown = () => this.restart()): Promise<void> {
    await this.settle()
    const before = this.#sent.count
    this.#sent.keepsContent = true
    try {
      await action()
      await this.settle()
    } finally {
      this.#sent.keepsContent = false
    }
    const sent = this.#sent.describe(before, this.#reports)
    if (sent.length === 0) return
    throw new HomeostatError(
      'UNEXPECTED_WRITES',
      `expected that the operator writes nothing, but it sent:\n${sent.map((write) => `  ${write}`).join('\n')}`,
    )
  }

  /**
   * Ends the operator and the server. It always ends: a reconcile that does not end is abandoned. That is not
   * reported as an error, since it would hide the error that the test failed with.
   */
  async close(): Promise<void> {
    if (this.#waits.restless) this.kill()
    const ending = [this.#process, this.#garbageCollector, ...this.#killed]
    this.#process = undefined
    const failures: unknown[] = []
    for (const process of ending) await process?.stop().catch((error: unknown) => failures.push(error))
    await this.transport.close()
    await this.environment.close()
    if (this.#settings.logs === undefined) {
      for (const { code, message } of this.findings) print(`OperatorTest: ${code}: ${message}`)
    }
    if (failures.length > 0) throw failures[0]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Starts a process with the given operator, or with a new one from the source. */
  async #launch(given?: Operator): Promise<OperatorProcess> {
    const { manager, setup, transport } = this.#settings
    const operator = given ?? (await resolveOperator(this.#source))
    const process = new OperatorProcess({
      operator,
      manager,
      transport: this.#connectOperator(),
      wrap: (inner) => {
        const faulty = this.faults.wrap(inner)
        const carrier = transport?.(faulty, this) ?? faulty
        return this.#sent.wrap(this.#waits.callbacks.wrap(this.#story?.wrap(carrier) ?? carrier))
      },
      environment: this.environment,
      serveWebhooks: this.#webhooks.serve,
      logger: this.#logger,
      onReconcile: (report) => this.#reported(report),
      onCallbackFailure: (failure) => this.#waits.callbacks.add(failure),
    })
    this.#process = process
    await setup?.(process.manager)
    await this.#account?.grant(process.manager)
    await this.#webhooks.install(process.manager.webhooks)
    process.run()
    try {
      await process.started()
    } catch (error) {
      await this.#waits.throwRefusals(process)
      throw error
    }
    return process
  }

  async #startGarbageCollector(): Promise<void> {
    this.#garbageCollector = new OperatorProcess({
      operator: operator('garbage-collector', { controllers: [garbageCollector(this.client.kinds)] }),
      transport: this.#connect('garbage-collector', this.environment.handler),
      environment: this.environment,
      logger: silentLogger,
    })
    this.#garbageCollector.run()
    await this.#garbageCollector.started()
  }

  /** The version that a list of the kind has now. */
  async #versionOf({ group, version, plural }: AnyKind): Promise<string> {
    const root = group ? `/apis/${group}` : '/api'
    const { code, body } = await this.environment.call('GET', `${root}/${version}/${plural}?limit=1`)
    if (code === 200) return body.metadata.resourceVersion
    throw new HomeostatError(
      'KIND_NOT_SERVED',
      `${plural} cannot be listed: ${body.message ?? `HTTP ${code}`}`,
    )
  }

  #connectOperator(): Transport {
    const account = this.#account
    if (!account) return this.#connect(OPERATOR, this.environment.handler)
    return this.#waits.refused.wrap(this.#connect(OPERATOR, account.handler), () => account.refresh())
  }

  #connect(userAgent: string, handler: ApiHandler): Transport {
    return directTransport(handler, { clock: this.clock, headers: { 'user-agent': userAgent } })
  }

  #reported(report: ReconcileReport): void {
    this.#reports.push(report)
    this.#findings.reconciled(report)
    this.#waits.reported(report)
  }

  #printStory(): void {
    const story = this.#story?.toString()
    if (story) print(story)
  }

  /** The operator's writes after a number of those that reached the server. */
  #written(after: number): string[] {
    return this.environment.writes
      .slice(after)
      .filter((write) => write.userAgent === OPERATOR)
      .map(({ verb, resource, subresource, namespace, name }) => {
        const path = subresource ? `${resource}/${subresource}` : resource
        return [verb, path, [namespace, name].filter(Boolean).join('/')].filter(Boolean).join(' ')
      })
  }
}

/** A source that makes an operator for each process, and the settings of the test. */
function sourceAndSettings(
  tested: OperatorSource | OperatorTestOptions,
  settings: OperatorTestSettings = {},
): [OperatorSource, OperatorTestSettings] {
  if (typeof tested === 'function' || isOperator(tested)) {
    checkOptionNames(settings, TEST_SETTINGS)
    return [tested, settings]
  }
  checkOptionNames(tested, TEST_OPTIONS)
  const { controllers, webhooks, ...rest } = tested
  const source = async (): Promise<Operator> =>
    operator(OPERATOR, {
      controllers: typeof controllers === 'function' ? await controllers() : controllers,
      webhooks,
    })
  return [source, rest]
}
