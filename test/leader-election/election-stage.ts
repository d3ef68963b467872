import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  controller,
  createClient,
  createLogger,
  directTransport,
  Manager,
  type Client,
  type Clock,
  type ControllerOptions,
  type LeaderElectionOptions,
  type Transport,
} from 'homeostat'
import { ConfigMap, Lease } from 'homeostat/kinds'

/** The Lease that the processes compete for. */
export const LEASE = { namespace: 'default', name: 'counting' }

/** How a process differs from the usual one. */
export interface ProcessOptions {
  election?: Partial<LeaderElectionOptions>
  controller?: ControllerOptions
  clock?: Clock
  /** Whether the server answers writes of the Lease a second after it has done them. */
  slowLease?: boolean
  /** Replaces the reconcile, which counts up. */
  reconcile?: (write: (text: string) => Promise<void>, signal: AbortSignal) => Promise<void>
}

/** A server under simulated time, and processes that compete for one Lease of it. */
export class ElectionStage implements AsyncDisposable {
  readonly env: TestEnvironment
  /** Carries the test's own requests. */
  readonly transport: Transport
  readonly client: Client
  readonly #ends: (() => Promise<void>)[] = []
  #works = 0

  private constructor(env: TestEnvironment) {
    this.env = env
    this.transport = directTransport(env.handler, { clock: env.clock })
    this.client = createClient({ transport: this.transport, clock: env.clock, fieldManager: 'test' })
  }

  static async open(): Promise<ElectionStage> {
    return new ElectionStage(await TestEnvironment.start())
  }

  /** A process with a manager. It writes `seen-by-<name>` whenever a ConfigMap `work` changes. */
  start(name: string, options: ProcessOptions = {}) {
    const { env, transport: direct } = this
    const clock = options.clock ?? env.clock
    const stop = new AbortController()
    const lines: string[] = []
    const sent: { at: number; method: string; path: string }[] = []
    let connected = true
    let slow = options.slowLease ?? false
    const transport: Transport = {
      ...direct,
      async send(request) {
        const isWrite = request.method !== 'GET'
        if (isWrite) sent.push({ at: env.clock.monotonic(), method: request.method, path: request.path })
        if (!connected) return silence(request.signal)
        if (!slow || !isWrite || !request.path.includes('/leases')) return direct.send(request)
        const answer = await direct.send({ ...request, signal: undefined })
        await env.clock.sleep(1000, { signal: request.signal })
        return answer
      },
    }
    const value = controller('counting')
      .for(ConfigMap)
      .reconcile(async (request, context) => {
        if (request.name !== 'work') return
        const write = async (text: string): Promise<void> => {
          const metadata = { namespace: 'default', name: `seen-by-${name}` }
          await context.client.apply(ConfigMap, { metadata, data: { text } })
        }
        if (options.reconcile) await options.reconcile(write, context.signal)
        else await write(`${clock.monotonic()}`)
      }, options.controller)
    const manager = new Manager({
      transport,
      clock,
      logger: createLogger({ format: 'text', clock, write: (line) => lines.push(line) }),
      leaderElection: { ...LEASE, identity: name, ...options.election },
    }).add(value)
    const running = manager.start({ signal: stop.signal })
    running.catch(() => {})
    const end = async (): Promise<void> => {
      stop.abort()
      await env.advance('30s')
      await running
    }
    this.#ends.push(() => end().catch(() => {}))
    return {
      manager,
      running,
      stop,
      lines,
      end,
      /** Requests that write, the Lease's own aside. */
      writes: () => sent.filter(({ path }) => !path.includes('/leases')),
      /** From now on no request is answered, as when a network is cut. */
      cutOff: () => void (connected = false),
      reconnect: () => void (connected = true),
      /** From now on the server does at once what is written to the Lease, and answers a second later. */
      slowDown: () => void (slow = true),
      get leads() {
        return manager.metrics.page().includes('leader_election_master_status{name="counting"} 1')
      },
    }
  }

  /** A clock whose wall time is off by so many milliseconds. */
  skewed(by: number): Clock {
    const { clock } = this.env
    return {
      now: () => clock.now() + by,
      monotonic: () => clock.monotonic(),
      random: () => clock.random(),
      schedule: (delay, callback) => clock.schedule(delay, callback),
      sleep: (delay, options) => clock.sleep(delay, options),
      busy: (what) => clock.busy(what),
    }
  }

  /** Changes the ConfigMap `work`. */
  work(): Promise<unknown> {
    return this.client.apply(ConfigMap, {
      metadata: { namespace: 'default', name: 'work' },
      data: { number: `${this.#works++}` },
    })
  }

  /** The spec of the Lease. */
  async lease() {
    return (await this.client.getOrThrow(Lease, LEASE)).spec
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.splice(0)) await end()
    await this.transport.close()
    await this.env.close()
  }
}

/** An answer that never comes. */
function silence(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
