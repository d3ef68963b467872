import { join } from 'node:path'
import type { Clock, Timer } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import type { ImageMap } from '../images/index.ts'
import type { PodAddress, PodNetwork } from '../network/index.ts'
import type { ContainerLog } from './container-log.ts'
import { ContainerRunner } from './container-runner.ts'
import { atMost } from './hold-clock.ts'
import { PodProblem } from './pod-problem.ts'
import { podStatus } from './pod-status.ts'
import type { PodEvent, PodStep, PodSurroundings } from './pod-surroundings.ts'
import type { ProcessGuard } from './process-guard.ts'
import { PodVolumes, type ConfigReader } from './volumes/index.ts'

export interface PodRunnerOptions {
  readonly clock: Clock
  readonly images: ImageMap
  readonly guard: ProcessGuard
  readonly network: PodNetwork
  readonly hostIP: string
  /** The folder of all Pods; this one gets a folder in it. */
  readonly folder: string
  /** The Pod should be looked at again. */
  readonly changed: () => void
}

/** When to look again for what a volume needs, if no event says that it came. */
const VOLUME_RETRY = 10_000
/** How long containers may take to end, in real time, when the whole node stops. */
const CLOSE_PATIENCE = 1_000

/**
 * Runs one Pod on this machine. `step` brings it one step closer to what the API says, however often it
 * is called; it never waits for a container to end. The runner owns the Pod's processes, folder and
 * address until it is closed.
 */
export class PodRunner implements AsyncDisposable {
  readonly uid: string
  readonly #options: PodRunnerOptions
  readonly #volumes: PodVolumes
  readonly #init: readonly ContainerRunner[]
  readonly #containers: readonly ContainerRunner[]
  readonly #startTime: number
  #events: PodEvent[] = []
  #address: PodAddress | undefined
  #retry: Timer | undefined
  #deadline: Timer | undefined
  #prepared = false
  #mountProblem: string | undefined
  #ending = false
  #over: { reason: string; message: string } | undefined
  #grace = Number.POSITIVE_INFINITY

  constructor(pod: Pod, options: PodRunnerOptions) {
    this.uid = pod.metadata.uid
    this.#options = options
    this.#startTime = options.clock.now()
    this.#volumes = new PodVolumes(join(options.folder, this.uid))
    const around: PodSurroundings = {
      ...options,
      volumes: this.#volumes,
      event: (event) => this.#events.push(event),
    }
    const policy = (pod.spec.restartPolicy ?? 'Always') as 'Always' | 'OnFailure' | 'Never'
    this.#init = (pod.spec.initContainers ?? []).map((spec) => {
      const beside = spec.restartPolicy === 'Always'
      return new ContainerRunner(spec, beside ? 'Always' : policy === 'Always' ? 'OnFailure' : policy, around)
    })
    this.#containers = pod.spec.containers.map((spec) => new ContainerRunner(spec, policy, around))
    for (const status of [
      ...(pod.status.initContainerStatuses ?? []),
      ...(pod.status.containerStatuses ?? []),
    ]) {
      this.#find(status.name)?.resume(status)
    }
    for (const container of this.#init.length > 0 ? this.#containers : []) container.wait('PodInitializing')
  }

  /** Whether nothing of the Pod runs and nothing will again. */
  get stopped(): boolean {
    return this.#ending && !this.#all.some((container) => container.running)
  }

  /** Takes the next step. */
  async step(pod: Pod, reader: ConfigReader): Promise<void> {
    this.#retry?.cancel()
    this.#deadline?.cancel()
    if (pod.metadata.deletionTimestamp) {
      this.#end(pod.metadata.deletionGracePeriodSeconds ?? 0)
      return
    }
    if (isOver(pod)) {
      this.#end(0)
      this.#release()
      return
    }
    this.#checkDeadline(pod)
    if (this.#ending) return
    const address = await this.#prepare(pod, reader)
    if (!address || !(await this.#initialize({ pod, address, reader }))) return
    for (const container of this.#containers) await container.step({ pod, address, reader })
  }

  /** The status that the API should show now. */
  status(pod: Pod): CoreV1.PodStatus {
    return podStatus(
      pod,
      {
        hostIP: this.#options.hostIP,
        podIP: this.#address?.podIP ?? pod.status.podIP,
        startTime: this.#startTime,
        initContainers: this.#init.map((container) => container.status()),
        containers: this.#containers.map((container) => container.status()),
        sandbox: this.#prepared && !this.stopped,
        ending: this.stopped,
        ...this.#over,
      },
      this.#options.clock.now(),
    )
  }

  /** What happened since the last call. */
  takeEvents(): PodEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** The log of a container, or of its run before; `undefined` when there is none. */
  log(container: string, options: { previous?: boolean | undefined } = {}): ContainerLog | undefined {
    const found = this.#find(container)
    return options.previous ? found?.previousLog : found?.log
  }

  /** Why a container waits, if it does. */
  waitingFor(container: string): string | undefined {
    return this.#find(container)?.status().state?.waiting?.reason
  }

  /** Ends everything and removes what the Pod had on this machine. `force` gives no time to end well. */
  async close(options: { force?: boolean | undefined } = {}): Promise<void> {
    this.#ending = true
    this.#retry?.cancel()
    this.#deadline?.cancel()
    if (!options.force) {
      for (const container of this.#all) container.stop(Number.MAX_SAFE_INTEGER)
      await atMost(Promise.all(this.#all.map((container) => container.whenStopped())), CLOSE_PATIENCE)
    }
    await Promise.all(this.#all.map((container) => container.kill()))
    this.#release()
    await this.#volumes.remove()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #all(): readonly ContainerRunner[] {
    return [...this.#init, ...this.#containers]
  }

  /** Gives the address back: others may have it. */
  #release(): void {
    this.#options.network.detach(this.uid)
    this.#address = undefined
  }

  #find(name: string): ContainerRunner | undefined {
    return this.#all.find((container) => container.name === name)
  }

  /** The address and the volumes; `undefined` while something for them is missing. */
  async #prepare(pod: Pod, reader: ConfigReader): Promise<PodAddress | undefined> {
    const { network, clock, changed } = this.#options
    const ports = pod.spec.containers.flatMap((container) => container.ports ?? [])
    try {
      this.#address ??= await network.attach(
        this.uid,
        ports.map((port) => port.containerPort),
      )
      await this.#volumes.sync(pod, reader)
    } catch (error) {
      if (!(error instanceof PodProblem)) throw error
      if (this.#mountProblem !== error.message) {
        this.#events.push({ type: 'Warning', reason: 'FailedMount', message: error.message })
      }
      this.#mountProblem = error.message
      this.#retry = clock.schedule(VOLUME_RETRY, changed)
      return undefined
    }
    this.#prepared = true
    this.#mountProblem = undefined
    return this.#address
  }

  /** Runs the init containers one after the other; says whether they are done. */
  async #initialize(next: PodStep): Promise<boolean> {
    for (const container of this.#init) {
      const beside =
        next.pod.spec.initContainers?.find(({ name }) => name === container.name)?.restartPolicy === 'Always'
      if (!beside && container.succeeded) continue
      await container.step(next)
      if (!(beside && container.started)) return false
    }
    return true
  }

  /** A Pod that has an end to its time, and has reached it, fails. */
  #checkDeadline(pod: Pod): void {
    const { clock, changed } = this.#options
    const limit = pod.spec.activeDeadlineSeconds
    if (limit === undefined || this.#ending) return
    const started = Date.parse(pod.status.startTime ?? '') || this.#startTime
    const left = started + limit * 1_000 - clock.now()
    if (left > 0) {
      this.#deadline = clock.schedule(left, changed)
      return
    }
    const message = 'Pod was active on the node longer than the specified deadline'
    this.#over = { reason: 'DeadlineExceeded', message }
    this.#events.push({ type: 'Warning', reason: 'DeadlineExceeded', message })
    this.#end(pod.spec.terminationGracePeriodSeconds ?? 30)
  }

  /** Begins to end every container; a shorter grace period than before takes its place. */
  #end(graceSeconds: number): void {
    if (this.#ending && graceSeconds >= this.#grace) return
    this.#grace = graceSeconds
    for (const container of this.#all) {
      if (container.running && !this.#ending) {
        this.#events.push({
          type: 'Normal',
          reason: 'Killing',
          message: `Stopping container ${container.name}`,
        })
      }
      container.stop(graceSeconds)
    }
    this.#ending = true
  }
}

function isOver(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed'
}
