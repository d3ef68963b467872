import type { Clock, DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { PodAddress } from '../../network/index.ts'
import type { ContainerPlace } from '../process/index.ts'
import { runLifecycleHook } from './lifecycle-hook.ts'
import type { PodEvent } from './pod-context.ts'

/** Where the hooks of a run are run. */
export interface HookPlace {
  readonly place: ContainerPlace
  readonly address: PodAddress
}

/** The hooks of a container: after its start and before its end. An Event reports that a hook failed, without its output. */
export class ContainerHooks {
  readonly #spec: DeepReadonly<CoreV1.Container>
  readonly #around: { readonly clock: Clock; readonly event: (event: PodEvent) => void }

  constructor(
    spec: DeepReadonly<CoreV1.Container>,
    around: { readonly clock: Clock; readonly event: (event: PodEvent) => void },
  ) {
    this.#spec = spec
    this.#around = around
  }

  get hasPostStart(): boolean {
    return this.#spec.lifecycle?.postStart !== undefined
  }

  /** Runs the hook after the start. Returns whether it succeeded. */
  postStart(at: HookPlace, signal: AbortSignal): Promise<boolean> {
    return this.#run(this.#spec.lifecycle?.postStart, at, signal, 'PostStartHook')
  }

  /** The hook before the end, if there is one. */
  preStop(at: HookPlace): ((signal: AbortSignal) => Promise<void>) | undefined {
    const hook = this.#spec.lifecycle?.preStop
    return hook && (async (signal) => void (await this.#run(hook, at, signal, 'PreStopHook')))
  }

  async #run(
    hook: DeepReadonly<CoreV1.LifecycleHandler> | undefined,
    { place, address }: HookPlace,
    signal: AbortSignal,
    name: string,
  ): Promise<boolean> {
    const { clock, event } = this.#around
    try {
      if (hook) await runLifecycleHook({ hook, container: this.#spec, address, place, clock, signal })
      return true
    } catch {
      // A hook that was aborted, because the container has ended or its time is over, has not failed.
      if (!signal.aborted) event({ type: 'Warning', reason: `Failed${name}`, message: `${name} failed` })
      return false
    }
  }
}
