import { join } from 'node:path'
import { HomeostatError, type Timer, atMost } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'
import type { PodAddress } from '../../network/index.ts'
import type { ContainerLog } from '../logs/index.ts'
import {
  ContainerRunner,
  type Launched,
  type PodEvent,
  type PodStep,
  type PodContext,
} from '../container/index.ts'
import { PodProblem, PodTokens, type PodSources } from '../sources/index.ts'
import { PodSandbox } from '../sandbox/index.ts'
import { podStatus } from './pod-status.ts'
import { localListener, type ProcessGuard } from '../separation/index.ts'
import { PodVolumes, removeFolder } from '../volumes/index.ts'
import type { NodeSettings } from './node-settings.ts'

export interface PodRunnerOptions extends NodeSettings {
  readonly guard: ProcessGuard
  /** The resources of the node for Pods. Default: unknown. */
  readonly allocatable?: Readonly<Record<string, string>> | undefined
  /** The folder of all Pods; this one gets a folder in it. */
  readonly folder: string
  /** Called when the Pod should be reconciled again. */
  readonly changed: () => void
}

/** When to check again for an object that a volume needs, if no event reports it earlier. */
const VOLUME_RETRY = 10_000
/** How long containers may take to end, in real time, when the whole node stops. */
const CLOSE_TIMEOUT = 1_000
const DEFAULT_GRACE = 30

/**
 * Runs one Pod on this machine. `step` brings it one step closer to what the API says, however often it
 * is called; it never waits for a container to end. The runner owns the Pod's processes, folder and
 * address until it is closed.
 */
export class PodRunner implements AsyncDisposable {
  readonly uid: string
  readonly #options: PodRunnerOptions
  readonly #folder: string
  readonly #around: PodContext
  readonly #volumes: PodVolumes
  readonly #tokens: PodTokens
  readonly #sandbox: PodSandbox
  readonly #init: readonly ContainerRunner[]
  readonly #containers: readonly ContainerRunner[]
  readonly #ephemeral: ContainerRunner[] = []
  readonly #startTime: number
  #events: PodEvent[] = []
  #address: PodAddress | undefined
  #unwatch: (() => void) | undefined
  #timers: Timer[] = []
  #prepared = false
  #mountProblem: string | undefined
  #stepping = false
  #ending = false
  #over: { reason: string; message: string } | undefined

  constructor(pod: Pod, options: PodRunnerOptions) {
    this.uid = pod.metadata.uid
    this.#options = options
    this.#startTime = options.clock.now()
    this.#folder = join(options.folder, this.uid)
    this.#volumes = new PodVolumes(this.#folder, { hostPaths: options.hostPaths })
    this.#tokens = new PodTokens(options.clock)
    this.#sandbox = new PodSandbox({
      ...options,
      podFolder: this.#folder,
      volumes: this.#volumes,
      failed: (message) => this.#tell({ type: 'Warning', reason: 'NamesUnavailable', message }),
    })
    this.#around = {
      ...options,
      allocatable: options.allocatable ?? {},
      podFolder: this.#folder,
      volumes: this.#volumes,
      sandbox: this.#sandbox,
      event: (event) => this.#tell(event),
    }
    this.#init = (pod.spec.initContainers ?? []).map(
      (spec) => new ContainerRunner(pod, spec, 'init', this.#around),
    )
    this.#containers = pod.spec.containers.map((spec) => new ContainerRunner(pod, spec, 'main', this.#around))
    this.#addEphemeral(pod)
    this.#resume(pod)
    for (const container of this.#init.length > 0 ? this.#containers : []) container.wait('PodInitializing')
  }

  /** Whether no container of the Pod runs, and none will run again. */
  get stopped(): boolean {
    return this.#ending && !this.#all.some((container) => container.running)
  }

  /** Where the Pod's ports are, while it has an address. */
  get address(): PodAddress | undefined {
    return this.#address
  }

  /** The processes of the containers that run, as the machine numbers them. */
  #processes(): readonly number[] {
    return this.#all.flatMap(({ current }) => current?.run.processes?.() ?? [])
  }

  /** The address of `localhost` on which a container of the Pod, module or process, listens on a port. */
  async localAddress(port: number): Promise<string | undefined> {
    for (const { current } of this.#all) {
      const own = current?.run.localAddress?.(port)
      if (own !== undefined) return own
    }
    return localListener(port, this.#processes())
  }

  /** Takes the next step. */
  async step(pod: Pod, sources: PodSources): Promise<void> {
    this.#stepping = true
    try {
      await this.#step(pod, sources)
    } finally {
      this.#stepping = false
    }
  }

  async #step(pod: Pod, sources: PodSources): Promise<void> {
    for (const timer of this.#timers.splice(0)) timer.cancel()
    if (pod.metadata.deletionTimestamp) {
      this.#end(pod.metadata.deletionGracePeriodSeconds ?? 0)
      return
    }
    if (isOver(pod)) {
      this.#end(pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE)
      if (this.stopped) this.#release()
      return
    }
    this.#checkDeadline(pod)
    if (this.#ending) return
    const address = await this.#prepare(pod, sources)
    if (address) await this.#run({ pod, address, sources })
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
        ephemeralContainers: this.#ephemeral.map((container) => container.status()),
        sandbox: this.#prepared && !this.stopped,
        ending: this.stopped,
        ...this.#over,
      },
      this.#options.clock.now(),
    )
  }

  /** The events since the last call. */
  takeEvents(): PodEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  /** The names of its containers. */
  get containers(): readonly string[] {
    return this.#all.map((container) => container.name)
  }

  /** The current run of a container; `undefined` when it does not run. */
  current(container: string): Launched | undefined {
    return this.#find(container)?.current
  }

  /** The log of a container, or of its previous run; `undefined` when there is none. */
  log(container: string, options: { previous?: boolean | undefined } = {}): ContainerLog | undefined {
    const found = this.#find(container)
    return options.previous ? found?.previousLog : found?.log
  }

  /** Why a container waits, if it does. */
  waitingFor(container: string): string | undefined {
    return this.#find(container)?.status().state?.waiting?.reason
  }

  /**
   * Ends everything and removes what the Pod had on this machine. `force` kills containers at once; `keepFiles`
   * leaves the folder for the next process that runs the Pod.
   */
  async close(options: { force?: boolean | undefined; keepFiles?: boolean | undefined } = {}): Promise<void> {
    this.#ending = true
    for (const timer of this.#timers.splice(0)) timer.cancel()
    if (!options.force) {
      for (const container of this.#all) container.stop(Number.MAX_SAFE_INTEGER / 1_000_000)
      await atMost(Promise.all(this.#all.map((container) => container.whenStopped())), CLOSE_TIMEOUT)
    }
    await Promise.all(this.#all.map((container) => container.kill()))
    this.#release()
    if (!options.keepFiles) await removeFolder(this.#folder)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #all(): readonly ContainerRunner[] {
    return [...this.#init, ...this.#containers, ...this.#ephemeral]
  }

  #find(name: string): ContainerRunner | undefined {
    return this.#all.find((container) => container.name === name)
  }

  /** Releases the address, so that another Pod may get it. */
  #release(): void {
    this.#options.network.detach(this.uid)
    this.#sandbox.close()
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#address = undefined
  }

  /** Continues from the status that an earlier process wrote to the API, as a node does after a restart. */
  #resume({ status }: Pod): void {
    const statuses = [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
      ...(status.ephemeralContainerStatuses ?? []),
    ]
    for (const entry of statuses) this.#find(entry.name)?.resume(entry)
    if (statuses.some(({ state }) => state?.running)) {
      const message = 'Pod sandbox changed, it will be killed and re-created.'
      this.#events.push({ type: 'Normal', reason: 'SandboxChanged', message })
    }
  }

  /** Containers that were added to the Pod while it runs. */
  #addEphemeral(pod: Pod): void {
    for (const spec of pod.spec.ephemeralContainers ?? []) {
      if (!this.#find(spec.name)) {
        this.#ephemeral.push(new ContainerRunner(pod, spec, 'ephemeral', this.#around))
      }
    }
  }

  /** Prepares the address and the volumes; `undefined` while something that they need is missing. */
  async #prepare(pod: Pod, sources: PodSources): Promise<PodAddress | undefined> {
    const { hostIP } = this.#options
    this.#address ??= await this.#attach(pod)
    if (!this.#address) return undefined
    try {
      const facts = { podIP: this.#address.podIP, hostIP, allocatable: this.#around.allocatable }
      await this.#volumes.sync({ pod, facts, sources, tokens: this.#tokens })
      this.#prepared = true
      this.#mountProblem = undefined
    } catch (error) {
      if (!(error instanceof PodProblem)) throw error
      if (this.#mountProblem !== error.message) {
        this.#events.push({ type: 'Warning', reason: 'FailedMount', message: error.message })
      }
      this.#mountProblem = error.message
      this.#after(VOLUME_RETRY)
    }
    const { refreshAt } = this.#tokens
    if (refreshAt !== undefined) this.#after(Math.max(0, refreshAt - this.#options.clock.now()))
    // Volumes that were ready once do not stop the Pod when they can no longer be updated.
    return this.#prepared ? this.#address : undefined
  }

  async #attach(pod: Pod): Promise<PodAddress | undefined> {
    const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
    const ports = containers.flatMap((container) => container.ports ?? [])
    const numbers = ports.map((port) => port.containerPort)
    try {
      const address = await this.#options.network.attach(this.uid, numbers, pod.status.podIP)
      this.#unwatch ??= this.#options.listeners?.add({
        name: `${pod.metadata.namespace}/${pod.metadata.name}`,
        host: address.host,
        ports: numbers.map((port) => address.port(port)),
        containers: () => this.#all.flatMap((container) => container.watched ?? []),
      })
      return address
    } catch (error) {
      if (!(error instanceof HomeostatError)) throw error
      const message = `Failed to create pod sandbox: ${error.message}`
      this.#events.push({ type: 'Warning', reason: 'FailedCreatePodSandBox', message })
      this.#after(VOLUME_RETRY)
      return undefined
    }
  }

  async #run(next: PodStep): Promise<void> {
    this.#addEphemeral(next.pod)
    for (const container of this.#ephemeral) await container.step(next)
    if (!(await this.#initialize(next))) return
    for (const container of this.#containers) {
      await container.step(next)
      if (container.starting) return
    }
    if (this.#containers.every((container) => container.finished)) {
      if (this.#init.some((container) => container.running)) {
        this.#end(next.pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE)
      }
    }
  }

  /**
   * Runs the init containers one after the other, and starts the sidecars. Returns whether the main containers may start. Once one
   * of those has started, nothing is initialized again.
   */
  async #initialize(next: PodStep): Promise<boolean> {
    const begun = this.#containers.some((container) => container.running)
    for (const container of this.#init) {
      if (!container.sidecar && (begun || container.succeeded)) continue
      await container.step(next)
      if (!begun && !(container.sidecar && container.started)) return false
    }
    return true
  }

  /** Ends a Pod that has exceeded its `activeDeadlineSeconds`. */
  #checkDeadline(pod: Pod): void {
    const limit = pod.spec.activeDeadlineSeconds
    if (limit === undefined || this.#ending) return
    const started = Date.parse(pod.status.startTime ?? '') || this.#startTime
    const left = started + limit * 1_000 - this.#options.clock.now()
    if (left > 0) {
      this.#after(left)
      return
    }
    const message = 'Pod was active on the node longer than the specified deadline'
    this.#over = { reason: 'DeadlineExceeded', message }
    this.#events.push({ type: 'Normal', reason: 'DeadlineExceeded', message })
    this.#end(pod.spec.terminationGracePeriodSeconds ?? DEFAULT_GRACE)
  }

  /**
   * Begins to end every container. A shorter grace period replaces the one before. Sidecars are asked to end after the main
   * containers, the last first.
   */
  #end(graceSeconds: number): void {
    this.#ending = true
    const sidecars = this.#init.filter((container) => container.sidecar).reverse()
    const others = this.#all.filter((container) => !container.sidecar)
    for (const container of others) container.stop(graceSeconds)
    let turn: Promise<unknown> = Promise.all(others.map((container) => container.whenStopped()))
    for (const container of sidecars) {
      container.stop(
        graceSeconds,
        turn.then(() => undefined),
      )
      turn = Promise.all([turn, container.whenStopped()])
    }
  }

  /** An event that is recorded between two steps causes another step, which sends it. */
  #tell(event: PodEvent): void {
    this.#events.push(event)
    if (!this.#stepping && !this.#ending) this.#options.changed()
  }

  #after(milliseconds: number): void {
    this.#timers.push(this.#options.clock.schedule(milliseconds, this.#options.changed))
  }
}

function isOver(pod: Pod): boolean {
  return pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed'
}
