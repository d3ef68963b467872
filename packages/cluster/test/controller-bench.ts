import { type CoreV1, type Pod as PodObject, Event, Pod } from '@homeostat/api/kinds'
import type { Duration, ObjectKey, SimulatedClock } from '@homeostat/api'
import { TestEnvironment } from '@homeostat/apiserver/testing'
import {
  createClient,
  directTransport,
  Manager,
  silentLogger,
  type Client,
  type Controller,
  type KindFinder,
} from 'homeostat'

/**
 * Controllers on an API server of their own, under simulated time. Nothing runs Pods: a test writes their status with
 * `setPod`.
 */
export class ControllerBench implements AsyncDisposable {
  readonly client: Client
  readonly environment: TestEnvironment
  readonly #close: () => Promise<void>

  private constructor(environment: TestEnvironment, client: Client, close: () => Promise<void>) {
    this.environment = environment
    this.client = client
    this.#close = close
  }

  static async start(controllers: (kinds: KindFinder) => readonly Controller[]): Promise<ControllerBench> {
    const environment = await TestEnvironment.start({ finalizeNamespaces: false })
    const { clock, handler } = environment
    const transport = directTransport(handler, { clock })
    const client = createClient({ transport, clock, fieldManager: 'test' })
    const manager = new Manager({ transport, clock, logger: silentLogger }).add(...controllers(client.kinds))
    const stop = new AbortController()
    const running = manager.start({ signal: stop.signal })
    await manager.synced
    await environment.settle()
    return new ControllerBench(environment, client, async () => {
      stop.abort()
      await running
      await transport.close()
      await environment.close()
    })
  }

  get clock(): SimulatedClock {
    return this.environment.clock
  }

  settle(): Promise<void> {
    return this.environment.settle()
  }

  advance(duration: Duration): Promise<void> {
    return this.environment.advance(duration)
  }

  /** Writes the status of a Pod, as its node would. */
  async setPod(key: ObjectKey & { namespace: string }, status: CoreV1.PodStatus): Promise<PodObject> {
    const pod = await this.client.getOrThrow(Pod, key)
    return this.client.status.update(Pod, { ...pod, status: { ...pod.status, ...status } })
  }

  /** `Reason: note` of each event about an object, in the order in which they came. */
  async events(name: string): Promise<string[]> {
    const events = await this.client.list(Event)
    return events
      .filter(({ regarding }) => regarding?.name === name)
      .sort((a, b) => ((a.eventTime ?? '') < (b.eventTime ?? '') ? -1 : 1))
      .map(({ reason, note }) => `${reason}: ${note}`)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }
}
