import { formatKey, HomeostatError, milliseconds, type Clock, type Duration } from '@homeostat/api'
import type { MountedController } from '../controller/index.ts'
import type { Logger } from '../telemetry/logger.ts'

/** The controllers of a manager, from their start to their orderly end. */
export class Crew {
  readonly #controllers: readonly MountedController[]
  readonly #clock: Clock
  readonly #log: Logger
  readonly #failed = Promise.withResolvers<never>()
  /** Those that were started and have not told all that was there. */
  readonly #starting = new Set<string>()

  constructor(controllers: readonly MountedController[], clock: Clock, logger: Logger) {
    this.#controllers = controllers
    this.#clock = clock
    this.#log = logger
    this.#failed.promise.catch(() => {})
  }

  /** Rejects when a controller cannot run. */
  get failed(): Promise<never> {
    return this.#failed.promise
  }

  /** The controllers that wait for their first lists. Those that were not started wait for nothing. */
  get starting(): readonly string[] {
    return [...this.#starting]
  }

  /** Starts some of the controllers; with `warmUp` only their sources. */
  start(which: (controller: MountedController) => boolean, options: { warmUp?: boolean } = {}): void {
    for (const controller of this.#controllers.filter(which)) {
      const running = options.warmUp ? controller.warmUp() : controller.run()
      running.catch((error: unknown) => this.#failed.reject(error))
      this.#starting.add(controller.name)
      void controller.warmUp().then(
        () => this.#starting.delete(controller.name),
        () => {},
      )
    }
  }

  /** Resolves when all controllers, started or not, have begun their work. */
  async synced(): Promise<void> {
    await Promise.all(this.#controllers.map((controller) => controller.synced))
  }

  /**
   * Starts no further reconcile, and waits for those under way, at most for `timeout`. Rejects with code
   * `MANAGER_STOP_TIMEOUT` when some had to be given up. `hurry` ends the waiting at once.
   */
  async stop(timeout: Duration | 'unlimited', hurry?: Promise<never>): Promise<void> {
    let givenUp: string[] = []
    const abort = (): void => {
      givenUp = this.#running()
      const error = new HomeostatError('MANAGER_STOPPED', 'the manager stops and waits no longer')
      for (const controller of this.#controllers) controller.abort(error)
    }
    const drained = Promise.allSettled(this.#controllers.map((controller) => controller.drain()))
    const timer = timeout === 'unlimited' ? undefined : this.#clock.schedule(milliseconds(timeout), abort)
    hurry?.catch(abort)
    await drained
    timer?.cancel()
    const stuck = [...new Set([...givenUp, ...this.#running()])]
    if (stuck.length === 0) return
    this.#log.error({ objects: stuck }, 'reconciles did not end in time and were aborted')
    throw new HomeostatError(
      'MANAGER_STOP_TIMEOUT',
      `the manager stopped although reconciles of ${stuck.join(', ')} had not ended within ${timeout}: pass the context's signal to what they wait for, or raise gracefulShutdownTimeout`,
    )
  }

  #running(): string[] {
    return this.#controllers.flatMap(({ running }) => running.map(formatKey))
  }
}
