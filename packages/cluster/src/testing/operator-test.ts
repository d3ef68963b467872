import { HomeostatError, type AnyKind, type Duration, type SimulatedClock } from '@homeostat/api'
import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  createClient,
  directTransport,
  Manager,
  silentLogger,
  type Client,
  type Controller,
  type Logger,
  type ManagerOptions,
  type ReconcileReport,
  type Transport,
} from 'homeostat'
import { mortalTransport } from './mortal-transport.ts'

/** What a test of an operator starts with. */
export interface OperatorTestOptions {
  /** The kinds of its own that the operator needs: their definitions are there from the start. Default: none. */
  readonly kinds?: readonly AnyKind[] | undefined
  readonly controllers: readonly Controller[]
  /** What else the manager is made with. Default: nothing. */
  readonly manager?: Omit<ManagerOptions, 'transport' | 'clock' | 'logger' | 'onReconcile'> | undefined
  /**
   * Stands between each process of the operator and the server: to count its requests, or to let some fail. Default:
   * nothing does.
   */
  readonly transport?: ((inner: Transport, test: OperatorTest) => Transport) | undefined
  /** Default: logs go nowhere. */
  readonly logger?: Logger | undefined
}

/** The operator as one process of it. */
interface Process {
  /** Ends it in good order. */
  stop(): Promise<void>
  /** Ends it at once: none of its requests reaches the server any more. */
  kill(): void
}

/** By it the operator's requests are told from the test's own. */
const OPERATOR = 'operator'

/**
 * An operator on an API server of its own, in this process and under simulated time: nothing happens between two lines
 * of a test except by `settle` and `advance`. Nothing runs Pods or other controllers here: a test writes their status
 * itself. For the real thing start a `Cluster`.
 */
export class OperatorTest implements AsyncDisposable {
  /** Reads and writes as the test, never through the operator's cache. */
  readonly client: Client
  /** Carries the test's own requests: for a further client or manager. */
  readonly transport: Transport
  /** The server, for requests without a client. */
  readonly environment: TestEnvironment
  readonly #options: OperatorTestOptions
  readonly #reports: ReconcileReport[] = []
  readonly #processes: Process[] = []
  #seen = 0

  private constructor(environment: TestEnvironment, options: OperatorTestOptions) {
    const { clock, handler } = environment
    this.environment = environment
    this.transport = directTransport(handler, { clock })
    this.client = createClient({ transport: this.transport, clock, fieldManager: 'test' })
    this.#options = options
  }

  /** Resolves when the operator runs and all is settled. */
  static async start(options: OperatorTestOptions): Promise<OperatorTest> {
    const test = new OperatorTest(await TestEnvironment.start({ kinds: options.kinds }), options)
    try {
      await test.restart()
      return test
    } catch (error) {
      await test.close()
      throw error
    }
  }

  get clock(): SimulatedClock {
    return this.environment.clock
  }

  /** Every reconcile so far: of what, why, with what result. */
  get reports(): readonly ReconcileReport[] {
    return this.#reports
  }

  /** Ends the operator and starts it again as a new process would be: with empty caches and no memory. */
  async restart(): Promise<void> {
    await this.#processes.at(-1)?.stop()
    await this.#launch()
    await this.settle()
  }

  /**
   * Ends the operator as `kill -9` does, wherever it is, and starts it again. It may be called in the middle of anything:
   * the new process counts as work under way, so that `settle` and `advance` wait for it.
   */
  async crash(): Promise<void> {
    using _ = this.clock.busy('the operator starts after a crash')
    this.#processes.at(-1)?.kill()
    await this.#launch()
  }

  /** Waits until nothing is left to do that needs no time to pass. */
  settle(): Promise<void> {
    return this.environment.settle()
  }

  /** Lets time pass, with everything that happens in it. */
  advance(duration: Duration): Promise<void> {
    return this.environment.advance(duration)
  }

  /** What the operator wrote since this was last asked, events aside: `create pods default`, `patch ats/status default/a`. */
  writes(): string[] {
    const news = this.#written(this.#seen).filter((write) => !write.includes(' events '))
    this.#seen = this.environment.writes.length
    return news
  }

  /**
   * Fails if the operator sends a request to write, events included, while `action` runs and all settles: the message
   * names each. Without an action the operator is started anew, which reconciles every object once more: a reconcile
   * that has nothing to do must send nothing.
   */
  async expectNoWrites(action: () => unknown = () => this.restart()): Promise<void> {
    await this.settle()
    const before = this.environment.writes.length
    await action()
    await this.settle()
    const sent = this.#written(before)
    if (sent.length === 0) return
    throw new HomeostatError(
      'UNEXPECTED_WRITES',
      `expected that the operator writes nothing, but it sent:\n${sent.map((write) => `  ${write}`).join('\n')}`,
    )
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await process.stop()
    await this.transport.close()
    await this.environment.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #launch(): Promise<void> {
    const { clock, handler } = this.environment
    const { controllers, manager: options, logger = silentLogger } = this.#options
    const mortal = mortalTransport(directTransport(handler, { clock, headers: { 'user-agent': OPERATOR } }))
    const stopping = new AbortController()
    const manager = new Manager({
      ...options,
      transport: this.#options.transport?.(mortal.transport, this) ?? mortal.transport,
      clock,
      logger,
      onReconcile: (report) => this.#reports.push(report),
    }).add(...controllers)
    let killed = false
    // What a process that was killed still says counts for nothing.
    const unlessKilled = (error: unknown): void => {
      if (!killed) throw error
    }
    const running = manager.start({ signal: stopping.signal }).catch(unlessKilled)
    this.#processes.push({
      async stop() {
        stopping.abort()
        // Nothing waits for one that was killed: it may be in the middle of anything.
        if (!killed) await running
        await mortal.transport.close()
      },
      kill() {
        killed = true
        mortal.kill()
        stopping.abort()
      },
    })
    await Promise.race([manager.synced.catch(unlessKilled), running])
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
