import { timestamp, type DeepReadonly, type Timer } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import type { Image } from '../../images/index.ts'
import type { PodAddress } from '../../network/index.ts'
import { BackOff } from './back-off.ts'
import { ContainerHistory } from './container-history.ts'
import { ContainerHooks } from './container-hooks.ts'
import type { ContainerLog } from '../logs/index.ts'
import { containerStatus } from './container-status.ts'
import { execCheck } from './exec-check.ts'
import { ImagePull } from './image-pull.ts'
import { launch, type Launched } from './launch.ts'
import { PodProblem } from '../sources/index.ts'
import type { PodEvent, PodStep, PodContext } from './pod-context.ts'
import { ContainerProbes, type CheckResult, type ProbeKind } from '../probes/index.ts'
import { isSidecar, shouldRestart } from './restart-policy.ts'
import { Termination, terminationMessage, type Exit } from '../process/index.ts'
import type { WatchedContainer } from '../separation/index.ts'

/** The role of a container in its Pod. */
export type ContainerRole = 'init' | 'main' | 'ephemeral'

const FIELDS = { init: 'initContainers', main: 'containers', ephemeral: 'ephemeralContainers' } as const
/**
 * How long to wait before a ConfigMap or Secret that a variable needs is looked up again, if no event reports it
 * earlier.
 */
const CONFIG_RETRY = 10_000

/** The current run. */
interface Current extends Launched {
  readonly startedAt: string
  readonly address: PodAddress
  termination?: Termination | undefined
}

/**
 * Runs one container of a Pod: starts it, restarts it by its policy with growing waits, runs its hooks and probes,
 * keeps its log, and reports its status for the API. By itself it only waits and calls `changed`; `step` decides
 * what to do next.
 */
export class ContainerRunner {
  readonly name: string
  readonly #spec: DeepReadonly<CoreV1.Container>
  readonly #role: ContainerRole
  readonly #pod: Pod
  readonly #around: PodContext
  readonly #restarts = new BackOff()
  readonly #pull: ImagePull
  readonly #hooks: ContainerHooks
  readonly #history: ContainerHistory
  #current: Current | undefined
  #launching: Promise<void> | undefined
  #hook: AbortController | undefined
  #probes: ContainerProbes | undefined
  #timer: Timer | undefined
  #stopped: PromiseWithResolvers<void> | undefined
  #stopping = false
  /** Whether it must run once more, although it has ended in a way that would otherwise be final. */
  #again = false

  constructor(pod: Pod, spec: DeepReadonly<CoreV1.Container>, role: ContainerRole, around: PodContext) {
    this.name = spec.name
    this.#pod = pod
    this.#spec = spec
    this.#role = role
    const fieldPath = `spec.${FIELDS[role]}{${spec.name}}`
    this.#around = { ...around, event: (event) => around.event({ ...event, fieldPath }) }
    this.#history = new ContainerHistory(spec.name, this.#around)
    this.#hooks = new ContainerHooks(spec, this.#around)
    this.#pull = new ImagePull({ ...this.#around, name: spec.image ?? '', policy: spec.imagePullPolicy })
  }

  get running(): boolean {
    return this.#current !== undefined
  }

  /** Whether it is an init container that runs beside the others. */
  get sidecar(): boolean {
    return this.#role === 'init' && isSidecar(this.#spec)
  }

  /** Whether it ran to its end and will not start again. */
  get finished(): boolean {
    const exit = this.#current ? undefined : this.#history.lastExit
    return exit !== undefined && !this.#again && !this.#restartable(exit.exitCode)
  }

  /** Whether it ran to its end with exit code 0, and will not start again. */
  get succeeded(): boolean {
    return this.finished && this.#history.lastExit?.exitCode === 0
  }

  get started(): boolean {
    return this.#current !== undefined && !this.#hook && this.#probes?.started === true
  }

  /** Whether the containers after it must wait, because its `postStart` hook still runs. */
  get starting(): boolean {
    return this.#hook !== undefined
  }

  /** The current run, for clients that attach to it or run commands beside it. */
  get current(): Launched | undefined {
    return this.#current
  }

  /** The current run, if it is a process that must be kept from the addresses of other Pods. */
  get watched(): WatchedContainer | undefined {
    const current = this.#current
    const cgroup = current?.place.process.cgroup
    if (!current || !cgroup) return undefined
    return {
      processes: () => cgroup.processes(),
      end: (message) => {
        this.#tell('Warning', 'AddressRefused', `Container ${this.name} was ended: ${message}`)
        current.run.kill()
      },
    }
  }

  /** The log of the current run, or of the last one. */
  get log(): ContainerLog | undefined {
    return this.#history.log
  }

  /** The log of the run before. */
  get previousLog(): ContainerLog | undefined {
    return this.#history.previousLog
  }

  /**
   * Continues from the status that an earlier process wrote to the API. Its containers have ended, as after a
   * reboot of the node; init containers run again.
   */
  resume(status: DeepReadonly<CoreV1.ContainerStatus>): void {
    this.#history.resume(status)
    const policy = this.#pod.spec.restartPolicy ?? 'Always'
    this.#again = this.#role === 'init' && this.#history.lastExit !== undefined && policy !== 'Never'
  }

  /** Shows why the container does not start yet. */
  wait(reason: string, message?: string): void {
    if (this.#current || this.#history.state.terminated) return
    this.#history.state = { waiting: message === undefined ? { reason } : { reason, message } }
  }

  /** Starts the container if it should run, does not, and its time has come. */
  async step(next: PodStep): Promise<void> {
    this.#restartIfFailed()
    if (this.#current || this.#stopping || this.finished) return
    this.#timer?.cancel()
    const { clock } = this.#around
    const { finishedAt } = this.#history
    const wait = finishedAt === undefined ? 0 : this.#restarts.remaining(clock.now(), finishedAt)
    if (wait > 0) {
      this.#backOff()
      this.#after(wait)
      return
    }
    const pulled = this.#pull.next()
    if ('image' in pulled) {
      this.#launching = this.#start(next, pulled.image)
      await this.#launching
    } else {
      this.#history.state = { waiting: { ...pulled.waiting } }
      this.#after(pulled.retryAfter)
    }
  }

  /**
   * Ends the container permanently: runs its hook, then sends SIGTERM, and SIGKILL when the grace period is over.
   * With a `turn`, SIGTERM waits until that has resolved.
   */
  stop(graceSeconds: number, turn?: Promise<void>): void {
    const first = !this.#stopping
    this.#stopping = true
    this.#timer?.cancel()
    const { state, lastExit } = this.#history
    if (state.waiting && lastExit) this.#history.state = { terminated: lastExit }
    if (!this.#current) return
    if (first) this.#tell('Normal', 'Killing', `Stopping container ${this.name}`)
    this.#end(graceSeconds, turn)
  }

  /** Kills the container now. Resolves when nothing of it is left. */
  async kill(): Promise<void> {
    this.#stopping = true
    this.#timer?.cancel()
    this.#hook?.abort()
    this.#probes?.close()
    await this.#launching?.catch(() => undefined)
    const current = this.#current
    current?.run.kill()
    await current?.run.exited
    await this.whenStopped()
    this.#history.log?.end()
  }

  /** Resolves when nothing of the container runs. */
  whenStopped(): Promise<void> {
    return this.#stopped?.promise ?? Promise.resolve()
  }

  /** The status that the API should show. */
  status(): CoreV1.ContainerStatus {
    const { state, exitBeforeState: lastExit, containerID, restartCount } = this.#history
    return containerStatus({
      spec: this.#spec,
      state,
      lastExit,
      containerID,
      restartCount,
      started: this.started,
      ready:
        this.#role === 'init' && !this.sidecar
          ? state.terminated?.exitCode === 0
          : this.started && this.#probes?.ready === true,
    })
  }

  async #start(next: PodStep, image: Image): Promise<void> {
    const { clock, changed } = this.#around
    const { finishedAt, restartCount } = this.#history
    const restarts = finishedAt === undefined ? restartCount : restartCount + 1
    let launched: Launched
    try {
      launched = await launch(next, this.#spec, image, this.#around, restarts)
    } catch (error) {
      if (!(error instanceof PodProblem)) throw error
      this.#waitFor('CreateContainerConfigError', error.message, {
        type: 'Warning',
        reason: 'Failed',
        message: `Error: ${error.message}`,
      })
      this.#after(CONFIG_RETRY)
      return
    }
    if (finishedAt !== undefined) this.#restarts.next(clock.now())
    this.#again = false
    this.#history.begin(next.pod, launched.log, restarts)
    this.#stopped = Promise.withResolvers()
    const startedAt = timestamp(clock.now())
    const current: Current = { ...launched, startedAt, address: next.address }
    this.#current = current
    this.#tell('Normal', 'Created', 'Container created')
    void launched.run.exited.then((exit) => this.#exited(exit, current))
    if (launched.run.notStarted) return
    this.#tell('Normal', 'Started', 'Container started')
    if (this.#hooks.hasPostStart) {
      this.#history.state = { waiting: this.#history.state.waiting ?? { reason: 'ContainerCreating' } }
      void this.#postStart(current).then(changed)
    } else {
      this.#isRunning(current)
    }
  }

  #isRunning(current: Current): void {
    this.#history.state = { running: { startedAt: current.startedAt } }
    const { clock, changed } = this.#around
    this.#probes = new ContainerProbes({
      container: this.#spec,
      address: current.address,
      clock,
      exec: (command, timeout, signal) => execCheck(current.place, command, timeout, signal),
      onChange: changed,
      onTrouble: (kind, result) => this.#unhealthy(kind, result),
    })
  }

  /** Until the hook has ended, the container counts as waiting. If the hook fails, the container is ended. */
  async #postStart(current: Current): Promise<void> {
    this.#hook = new AbortController()
    const succeeded = await this.#hooks.postStart(current, this.#hook.signal)
    this.#hook = undefined
    if (this.#current !== current) return
    if (succeeded) return this.#isRunning(current)
    this.#history.state = { running: { startedAt: current.startedAt } }
    if (this.#stopping) return
    this.#tell('Normal', 'Killing', 'FailedPostStartHook')
    this.#end(this.#pod.spec.terminationGracePeriodSeconds ?? 30)
  }

  #unhealthy(kind: ProbeKind, { outcome, message }: CheckResult): void {
    const probe = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} probe`
    const what = outcome === 'error' ? 'errored and resulted in unknown state' : 'failed'
    this.#tell('Warning', 'Unhealthy', `${probe} ${what}: ${message}`)
  }

  #restartIfFailed(): void {
    const failed = this.#probes?.failed
    if (!this.#current || !failed || this.#current.termination) return
    this.#tell('Normal', 'Killing', `Container ${this.name} failed ${failed} probe, will be restarted`)
    const probe = failed === 'startup' ? this.#spec.startupProbe : this.#spec.livenessProbe
    const { terminationGracePeriodSeconds = 30 } = this.#pod.spec
    this.#end(probe?.terminationGracePeriodSeconds ?? terminationGracePeriodSeconds)
  }

  #end(graceSeconds: number, turn?: Promise<void>): void {
    const current = this.#current
    if (!current) return
    this.#probes?.close()
    if (current.termination) {
      current.termination.shorten(graceSeconds)
      return
    }
    current.termination = new Termination({
      run: current.run,
      clock: this.#around.clock,
      graceSeconds,
      preStop: this.#hooks.preStop(current),
      turn,
    })
  }

  async #exited(exit: Exit, { startedAt, place, log, streams }: Current): Promise<void> {
    const { clock, changed } = this.#around
    const work = clock.busy(`the end of container ${this.name}`)
    this.#probes?.close()
    this.#hook?.abort()
    streams.end()
    log.end()
    if (exit.reason === 'StartError') {
      const name = JSON.stringify(this.name)
      this.#tell('Warning', 'Failed', `Error: failed to start container ${name}: ${exit.message}`)
    }
    const said =
      exit.message ?? (await terminationMessage(this.#spec, exit, place, log).catch(() => undefined))
    this.#current = undefined
    this.#history.end(exit, startedAt, said)
    this.#stopped?.resolve()
    changed()
    work.end()
  }

  #restartable(exitCode: number): boolean {
    if (this.#role === 'ephemeral') return false
    return shouldRestart(this.#pod, this.#spec, exitCode, this.#role === 'init')
  }

  #backOff(): void {
    const { namespace, name, uid } = this.#pod.metadata
    const shown = `${name}_${namespace}(${uid})`
    this.#waitFor(
      'CrashLoopBackOff',
      `back-off ${this.#restarts.shown} restarting failed container=${this.name} pod=${shown}`,
      {
        type: 'Warning',
        reason: 'BackOff',
        message: `Back-off restarting failed container ${this.name} in pod ${shown}`,
      },
    )
  }

  /** Shows why the container waits. Records the event once for each wait. */
  #waitFor(reason: string, message: string, event: PodEvent): void {
    const before = this.#history.state.waiting
    this.#history.state = { waiting: { reason, message } }
    if (before?.reason !== reason || before.message !== message) this.#around.event(event)
  }

  #tell(type: PodEvent['type'], reason: string, message: string): void {
    this.#around.event({ type, reason, message })
  }

  #after(milliseconds: number): void {
    this.#timer?.cancel()
    this.#timer = this.#around.clock.schedule(milliseconds, () => this.#around.changed())
  }
}
