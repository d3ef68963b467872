import { createHash } from 'node:crypto'
import { timestamp, type DeepReadonly, type Timer } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import { resolveImage, type Image } from '../images/index.ts'
import type { PodAddress } from '../network/index.ts'
import { BackOff } from './back-off.ts'
import type { ContainerLog } from './container-log.ts'
import { launch, type Launched } from './launch.ts'
import { PodProblem } from './pod-problem.ts'
import type { PodEvent, PodStep, PodSurroundings } from './pod-surroundings.ts'
import { ContainerProbes, type ProbeKind } from './probes/index.ts'
import type { Exit, Run } from './run.ts'

type RestartPolicy = 'Always' | 'OnFailure' | 'Never'

/** For how long a failed pull reads as an error before it reads as a wait. */
const PULL_ERROR_SHOWN = 1_000
/** When to look again for a ConfigMap or Secret that a variable needs, if no event says that it came. */
const CONFIG_RETRY = 10_000

/**
 * Runs one container of a Pod: starts it, starts it again as its policy says with growing waits, probes
 * it, keeps its log, and says what the API should show. By itself it only waits and calls `changed`:
 * what is next is decided in `step`.
 */
export class ContainerRunner {
  readonly name: string
  readonly #spec: DeepReadonly<CoreV1.Container>
  readonly #policy: RestartPolicy
  readonly #around: PodSurroundings
  readonly #restarts = new BackOff()
  readonly #pulls = new BackOff()
  #state: CoreV1.ContainerState = { waiting: { reason: 'ContainerCreating' } }
  #lastExit: CoreV1.ContainerStateTerminated | undefined
  #restartCount = 0
  #containerID: string | undefined
  #run: Run | undefined
  #finishedAt: number | undefined
  #pullFailedAt: number | undefined
  #probes: ContainerProbes | undefined
  #log: ContainerLog | undefined
  #previousLog: ContainerLog | undefined
  #timer: Timer | undefined
  #killTimer: Timer | undefined
  #stopping = false

  constructor(spec: DeepReadonly<CoreV1.Container>, policy: RestartPolicy, around: PodSurroundings) {
    this.name = spec.name
    this.#spec = spec
    this.#policy = policy
    this.#around = around
  }

  get running(): boolean {
    return this.#run !== undefined
  }

  /** Whether it ran to its end and will not start again. */
  get finished(): boolean {
    const exit = this.#state.terminated
    return (
      exit !== undefined &&
      (this.#policy === 'Never' || (this.#policy === 'OnFailure' && exit.exitCode === 0))
    )
  }

  get succeeded(): boolean {
    return this.#state.terminated?.exitCode === 0
  }

  get started(): boolean {
    return this.#run !== undefined && this.#probes?.started === true
  }

  /** The log of the run that is on, or of the last one. */
  get log(): ContainerLog | undefined {
    return this.#log
  }

  /** The log of the run before. */
  get previousLog(): ContainerLog | undefined {
    return this.#previousLog
  }

  /** Carries on from what the API shows of an earlier process: what ran then is over. */
  resume(status: DeepReadonly<CoreV1.ContainerStatus>): void {
    this.#restartCount = status.restartCount
    const { running, terminated } = status.state ?? {}
    if (terminated) {
      this.#ended({ ...terminated }, Date.parse(terminated.finishedAt ?? '') || this.#around.clock.now())
    } else if (running) {
      const now = this.#around.clock.now()
      const message = 'The node stopped while the container was running'
      const finishedAt = timestamp(now)
      this.#ended({ exitCode: 137, reason: 'ContainerStatusUnknown', message, ...running, finishedAt }, now)
    }
  }

  /** Shows why the container does not start yet. */
  wait(reason: string, message?: string): void {
    if (this.#run || this.#state.terminated) return
    this.#state = { waiting: message === undefined ? { reason } : { reason, message } }
  }

  /** Starts the container if it should run, does not, and its time has come. */
  async step(next: PodStep): Promise<void> {
    this.#restartIfFailed(next.pod)
    if (this.#run || this.#stopping || this.finished) return
    this.#timer?.cancel()
    const now = this.#around.clock.now()
    const wait = this.#finishedAt === undefined ? 0 : this.#restarts.remaining(now, this.#finishedAt)
    if (wait > 0) {
      this.#backOff(next.pod)
      this.#after(wait)
      return
    }
    const image = this.#pull()
    if (image) await this.#start(next, image)
  }

  /** Ends the container for good: asks first, and after the grace period ends it by force. */
  stop(graceSeconds: number): void {
    this.#stopping = true
    this.#timer?.cancel()
    if (this.#state.waiting && this.#lastExit) this.#state = { terminated: this.#lastExit }
    if (this.#run) this.#end(this.#run, graceSeconds)
  }

  /** Ends what runs, now. Resolves when nothing of it is left. */
  async kill(): Promise<void> {
    this.stop(0)
    await this.#run?.exited
  }

  /** Resolves when nothing of the container runs. */
  async whenStopped(): Promise<void> {
    await this.#run?.exited
  }

  /** What the API should show. */
  status(): CoreV1.ContainerStatus {
    const image = this.#spec.image ?? ''
    const shown = this.#containerID === undefined ? {} : { containerID: this.#containerID }
    return {
      name: this.name,
      state: this.#state,
      lastState: this.#lastExit && !this.#state.terminated ? { terminated: this.#lastExit } : {},
      ready: this.#run !== undefined && this.#probes?.ready === true,
      restartCount: this.#restartCount,
      image,
      imageID: this.#containerID === undefined ? '' : `homeostat://${image}`,
      ...shown,
      started: this.started,
    }
  }

  /** What runs for the image. Where nothing does, shows the failure and plans the next try. */
  #pull(): Image | undefined {
    const { clock, images, event } = this.#around
    const name = this.#spec.image ?? ''
    const shown = JSON.stringify(name)
    const image = resolveImage(images, name)
    if (image) {
      event({
        type: 'Normal',
        reason: 'Pulled',
        message: `Container image ${shown} already present on machine`,
      })
      return image
    }
    const now = clock.now()
    const wait = this.#pullFailedAt === undefined ? 0 : this.#pulls.remaining(now, this.#pullFailedAt)
    const remedy = `nothing is mapped to it: start the cluster with images: { ${JSON.stringify(withoutTag(name))}: … }`
    const errorShownFor = this.#pullFailedAt === undefined ? 0 : now - this.#pullFailedAt
    if (wait > 0 && errorShownFor < PULL_ERROR_SHOWN) {
      this.#after(PULL_ERROR_SHOWN - errorShownFor)
      return undefined
    }
    if (wait > 0) {
      const message = `Back-off pulling image ${shown}`
      this.#waitFor('ImagePullBackOff', `${message}: ${remedy}`, {
        type: 'Normal',
        reason: 'BackOff',
        message,
      })
      this.#after(wait)
      return undefined
    }
    this.#pulls.next(now)
    this.#pullFailedAt = now
    this.#state = { waiting: { reason: 'ErrImagePull', message: `failed to pull image ${shown}: ${remedy}` } }
    event({ type: 'Warning', reason: 'Failed', message: `Failed to pull image ${shown}: ${remedy}` })
    event({ type: 'Warning', reason: 'Failed', message: 'Error: ErrImagePull' })
    this.#after(PULL_ERROR_SHOWN)
    return undefined
  }

  async #start(next: PodStep, image: Image): Promise<void> {
    const { clock, event } = this.#around
    let launched: Launched
    try {
      launched = await launch(next, this.#spec, image, this.#around)
    } catch (error) {
      if (!(error instanceof PodProblem)) throw error
      const failed = { type: 'Warning', reason: 'Failed', message: `Error: ${error.message}` } as const
      this.#waitFor('CreateContainerConfigError', error.message, failed)
      this.#after(CONFIG_RETRY)
      return
    }
    if (this.#finishedAt !== undefined) {
      this.#restarts.next(clock.now())
      this.#restartCount++
    }
    this.#previousLog = this.#log
    this.#log = launched.log
    this.#run = launched.run
    this.#containerID = `homeostat://${identityOf(next.pod, this.name, this.#restartCount)}`
    const startedAt = timestamp(clock.now())
    this.#state = { running: { startedAt } }
    event({ type: 'Normal', reason: 'Created', message: 'Container created' })
    event({ type: 'Normal', reason: 'Started', message: 'Container started' })
    this.#probe(next.address, launched)
    void launched.run.exited.then((exit) => this.#exited(exit, startedAt))
    if (this.#stopping) await this.kill()
  }

  #probe(address: PodAddress, launched: Launched): void {
    const { clock, changed, event } = this.#around
    this.#probes = new ContainerProbes({
      container: this.#spec,
      address,
      clock,
      exec: launched.exec,
      onChange: changed,
      onFailure: (kind, message) => {
        event({ type: 'Warning', reason: 'Unhealthy', message: `${capital(kind)} probe failed: ${message}` })
      },
    })
  }

  #restartIfFailed(pod: Pod): void {
    const failed = this.#probes?.failed
    if (!this.#run || !failed || this.#killTimer) return
    const message = `Container ${this.name} failed ${failed} probe, will be restarted`
    this.#around.event({ type: 'Normal', reason: 'Killing', message })
    this.#end(this.#run, graceFor(failed, this.#spec, pod))
  }

  /** Asks a run to end, and ends it by force after the grace period; a shorter one takes effect at once. */
  #end(run: Run, graceSeconds: number): void {
    const { clock } = this.#around
    this.#probes?.close()
    this.#killTimer?.cancel()
    if (graceSeconds > 0) run.terminate()
    else run.kill()
    this.#killTimer = clock.schedule(graceSeconds * 1_000, () => run.kill())
  }

  #exited(exit: Exit, startedAt: string): void {
    const { clock, event, changed } = this.#around
    this.#log?.end()
    this.#probes?.close()
    this.#killTimer?.cancel()
    this.#killTimer = undefined
    this.#run = undefined
    if (exit.reason === 'StartError') {
      event({
        type: 'Warning',
        reason: 'Failed',
        message: `Error: failed to start container: ${exit.message}`,
      })
    }
    const { exitCode, signal, reason, message } = exit
    const finishedAt = timestamp(clock.now())
    this.#ended(
      {
        exitCode,
        ...(signal === undefined ? {} : { signal }),
        reason,
        ...(message === undefined ? {} : { message }),
        startedAt,
        finishedAt,
        ...(this.#containerID === undefined ? {} : { containerID: this.#containerID }),
      },
      clock.now(),
    )
    changed()
  }

  #ended(exit: CoreV1.ContainerStateTerminated, at: number): void {
    this.#state = { terminated: exit }
    this.#lastExit = exit
    this.#finishedAt = at
  }

  #backOff(pod: Pod): void {
    const { namespace, name, uid } = pod.metadata
    const delay = seconds(this.#restarts.delay)
    const shown = `${name}_${namespace}(${uid})`
    this.#waitFor(
      'CrashLoopBackOff',
      `back-off ${delay} restarting failed container=${this.name} pod=${shown}`,
      {
        type: 'Warning',
        reason: 'BackOff',
        message: `Back-off restarting failed container ${this.name} in pod ${shown}`,
      },
    )
  }

  /** Shows why the container waits; the event comes once for each wait. */
  #waitFor(reason: string, message: string, event: PodEvent): void {
    const before = this.#state.waiting
    this.#state = { waiting: { reason, message } }
    if (before?.reason !== reason || before.message !== message) this.#around.event(event)
  }

  #after(milliseconds: number): void {
    this.#timer?.cancel()
    this.#timer = this.#around.clock.schedule(milliseconds, () => this.#around.changed())
  }
}

function graceFor(kind: ProbeKind, spec: DeepReadonly<CoreV1.Container>, pod: Pod): number {
  const probe = kind === 'startup' ? spec.startupProbe : spec.livenessProbe
  return probe?.terminationGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30
}

/** As Go prints a duration: `10s`, `2m40s`, `5m0s`. */
function seconds(milliseconds: number): string {
  const all = Math.round(milliseconds / 1_000)
  return all < 60 ? `${all}s` : `${Math.floor(all / 60)}m${all % 60}s`
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function withoutTag(image: string): string {
  return image.replace(/@[^@/]*$/, '').replace(/:[^:/]*$/, '')
}

/** Names a run of a container: the same again when the same things happen. */
function identityOf(pod: Pod, container: string, run: number): string {
  return createHash('sha256').update(`${pod.metadata.uid}/${container}/${run}`).digest('hex')
}
