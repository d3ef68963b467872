import { createHash } from 'node:crypto'
import { timestamp, type DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { ContainerLog } from '../logs/index.ts'
import type { Exit } from '../process/index.ts'
import { logFolder } from './launch.ts'
import type { PodContext } from './pod-context.ts'

/** The runs of a container as the API shows them: its state, how its last two runs ended, its restarts and its logs. */
export class ContainerHistory {
  state: CoreV1.ContainerState = { waiting: { reason: 'ContainerCreating' } }
  readonly #name: string
  readonly #around: PodContext
  #lastExit: CoreV1.ContainerStateTerminated | undefined
  #exitBefore: CoreV1.ContainerStateTerminated | undefined
  #finishedAt: number | undefined
  #restartCount = 0
  #containerID: string | undefined
  #log: ContainerLog | undefined
  #previousLog: ContainerLog | undefined

  constructor(name: string, around: PodContext) {
    this.#name = name
    this.#around = around
  }

  /** How the last run ended; undefined where none has. */
  get lastExit(): CoreV1.ContainerStateTerminated | undefined {
    return this.#lastExit
  }

  /** How the run before the one in `state` ended. */
  get exitBeforeState(): CoreV1.ContainerStateTerminated | undefined {
    return this.state.terminated ? this.#exitBefore : this.#lastExit
  }

  /** When the last run ended, in milliseconds since 1970; undefined where none has. */
  get finishedAt(): number | undefined {
    return this.#finishedAt
  }

  get restartCount(): number {
    return this.#restartCount
  }

  /** The id of the current or the last run; undefined before the first. */
  get containerID(): string | undefined {
    return this.#containerID
  }

  /** The log of the current run, or of the last one. */
  get log(): ContainerLog | undefined {
    return this.#log
  }

  /** The log of the run before. */
  get previousLog(): ContainerLog | undefined {
    return this.#previousLog
  }

  /**
   * Continues from the status that an earlier process wrote to the API. Its containers have ended, as after a
   * reboot of the node.
   */
  resume(status: DeepReadonly<CoreV1.ContainerStatus>): void {
    const { clock } = this.#around
    const { restartCount, containerID } = status
    this.#restartCount = restartCount
    this.#containerID = containerID
    const { running, terminated } = status.state ?? {}
    const last = terminated ?? status.lastState?.terminated
    if (running) {
      const finishedAt = timestamp(clock.now())
      this.#ended({ exitCode: 255, reason: 'Unknown', ...running, finishedAt, ...optional({ containerID }) })
    } else if (last) {
      this.#ended({ ...last })
      this.#exitBefore = terminated && status.lastState?.terminated && { ...status.lastState.terminated }
      if (!terminated) this.state = { waiting: { reason: 'ContainerCreating' } }
    }
    if (running || last) {
      this.#log = this.#found(restartCount)
      if (restartCount > 0) this.#previousLog = this.#found(restartCount - 1)
    }
  }

  /** A run has begun. The log of the last run is kept, that of the run before it is removed. */
  begin(pod: Pod, log: ContainerLog, restarts: number): void {
    this.#restartCount = restarts
    this.#previousLog?.remove()
    this.#previousLog = this.#log
    this.#log = log
    this.#containerID = `homeostat://${identityOf(pod, this.#name, restarts)}`
  }

  /** A run has ended. */
  end({ exitCode, signal, reason }: Exit, startedAt: string, message: string | undefined): void {
    const finishedAt = timestamp(this.#around.clock.now())
    const rest = optional({ signal, message, containerID: this.#containerID })
    this.#ended({ exitCode, reason, startedAt, finishedAt, ...rest })
  }

  #ended(exit: CoreV1.ContainerStateTerminated): void {
    this.state = { terminated: exit }
    this.#exitBefore = this.#lastExit
    this.#lastExit = exit
    this.#finishedAt = Date.parse(exit.finishedAt ?? '') || this.#around.clock.now()
  }

  #found(restarts: number): ContainerLog {
    return ContainerLog.found(this.#around.clock, logFolder(this.#around, this.#name, restarts))
  }
}

/** The id of a run of a container, which is the same in a repeated simulation. */
function identityOf(pod: Pod, container: string, run: number): string {
  return createHash('sha256').update(`${pod.metadata.uid}/${container}/${run}`).digest('hex')
}

function optional<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
