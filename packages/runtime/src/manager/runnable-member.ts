import { HomeostatError } from '@homeostat/api'
import { messageOf } from '../reconcile/index.ts'
import type { GroupMember } from './group-member.ts'
import type { Runnable, RunnableContext, RunnableOptions } from './runnable.ts'

/** A runnable of one manager, from its start to its end. */
export class RunnableMember implements GroupMember {
  readonly name: string
  readonly needsLeader: boolean
  readonly warmsUp = false
  readonly synced: Promise<void> = Promise.resolve()
  readonly #run: Runnable
  readonly #context: (signals: { stop: AbortSignal; givenUp: AbortSignal }) => RunnableContext
  readonly #stop = new AbortController()
  readonly #givenUp = new AbortController()
  readonly #over = Promise.withResolvers<void>()
  #state: 'waiting' | 'runs' | 'ended' = 'waiting'

  /**
   * `context` gets the signal to stop, and a second signal that aborts when the manager no longer waits for the
   * runnable.
   */
  constructor(
    name: string,
    run: Runnable,
    options: RunnableOptions,
    context: (signals: { stop: AbortSignal; givenUp: AbortSignal }) => RunnableContext,
  ) {
    this.name = name
    this.needsLeader = options.needLeaderElection !== false
    this.#run = run
    this.#context = context
  }

  warmUp(): Promise<void> {
    return Promise.resolve()
  }

  async run(): Promise<void> {
    if (this.#stop.signal.aborted) return
    this.#state = 'runs'
    try {
      await this.#run(this.#context({ stop: this.#stop.signal, givenUp: this.#givenUp.signal }))
    } catch (error) {
      // It awaited an operation that was aborted, which throws.
      if (this.#stop.signal.aborted && error === this.#stop.signal.reason) return
      throw new HomeostatError('RUNNABLE_FAILED', `the runnable ${this.name} failed: ${messageOf(error)}`, {
        cause: error,
      })
    } finally {
      this.#state = 'ended'
      this.#over.resolve()
    }
  }

  async drain(): Promise<void> {
    this.#stop.abort(new HomeostatError('MANAGER_STOPPED', `the manager stops the runnable ${this.name}`))
    if (this.#state === 'runs') await this.#over.promise
  }

  abort(reason: HomeostatError): void {
    this.#givenUp.abort(reason)
    this.#over.resolve()
  }

  underWay(): readonly string[] {
    return this.#state === 'runs' ? [`the runnable ${this.name}`] : []
  }
}
