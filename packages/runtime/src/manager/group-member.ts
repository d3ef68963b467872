import type { HomeostatError } from '@homeostat/api'
import type { MountedController } from '../controller/index.ts'
import { requestText } from '../reconcile/index.ts'

/** A controller or a runnable, which a manager starts and stops. */
export interface GroupMember {
  readonly name: string
  readonly needsLeader: boolean
  /** Whether its sources start before this process leads. */
  readonly warmsUp: boolean
  /** Resolves when it has begun its work, or is drained. */
  readonly synced: Promise<void>
  /** Starts its sources. Resolves when they have passed on all existing objects. */
  warmUp(): Promise<void>
  /** Resolves when it has ended; rejects when it cannot run. */
  run(): Promise<void>
  /** Starts no further work. Resolves when the running work has ended or was given up. */
  drain(): Promise<void>
  /** Gives up work that does not end at once. */
  abort(reason: HomeostatError): void
  /** The running work, for messages: `the reconcile of default/x`. */
  underWay(): readonly string[]
}

export function controllerMember(controller: MountedController): GroupMember {
  const { name, options } = controller
  return {
    name,
    needsLeader: options.needLeaderElection !== false,
    warmsUp: options.enableWarmUp === true,
    synced: controller.synced,
    warmUp: () => controller.warmUp(),
    run: () => controller.run(),
    drain: () => controller.drain(),
    abort: (reason) => controller.abort(reason),
    underWay: () => controller.running.map((key) => `the reconcile of ${requestText(key)}`),
  }
}
