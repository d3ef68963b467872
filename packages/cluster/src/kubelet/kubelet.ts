import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { deepEqual, formatKey, HomeostatError, SystemClock, type ObjectKey, holdClock } from '@homeostat/api'
import { ConfigMap, PersistentVolumeClaim, Pod, Secret } from '@homeostat/api/kinds'
import {
  Channel,
  controller,
  isConflict,
  isNotFound,
  type Controller,
  type ReconcileContext,
  type Reader,
  type ServerFields,
} from 'homeostat'
import type { NodeUsage, PodUsage } from '@homeostat/apiserver'
import type { Connection } from '@homeostat/shell'
import { openTcpConnection } from '../network/index.ts'
import { apiSources, PodRunner, type NodeSettings } from './pod/index.ts'
import type { ContainerLog } from './logs/index.ts'
import type { AttachOptions } from './streams/index.ts'
import { execIn, exitWith, type ExecOptions, type Exit, type Run } from './process/index.ts'
import { machineSample, processSample, UsageMeter, type UsageSample } from './usage/index.ts'
import type { Launched } from './container/index.ts'
import { nodeStatus } from './node-object.ts'
import { podUses, type PodSourceType } from './sources/index.ts'
import { ProcessGuard } from './separation/index.ts'
import type { PersistentFolders } from './volumes/index.ts'

export interface KubeletOptions extends NodeSettings {
  /** The name of the controller. Default: `kubelet`. */
  readonly name?: string | undefined
  readonly node: string
  /** The resources of the node for Pods (`cpu`, `memory`). Default: those of the machine. */
  readonly allocatable?: Readonly<Record<string, string>> | undefined
  /** The folders of persistent volumes. Default: there are none. */
  readonly persistentFolders?: PersistentFolders | undefined
  /** A folder for this kubelet alone. Its files outlive the kubelet. */
  readonly folder: string
}

/** Names a Pod. */
export interface PodKey {
  readonly namespace: string
  readonly name: string
}

/**
 * Runs the Pods that are bound to its node as processes and functions of this machine, and writes their status. It
 * is a controller like others: `changed` of a Pod's runner only requests a reconcile, and a reconcile takes the
 * next step. Closing it ends everything that it started.
 */
export class Kubelet implements AsyncDisposable {
  readonly controller: Controller
  readonly #options: KubeletOptions
  readonly #guard: ProcessGuard
  readonly #allocatable: Readonly<Record<string, string>>
  readonly #runners = new Map<string, PodRunner>()
  readonly #pods = new Map<string, Pod>()
  readonly #changes = new Channel<PodKey>('kubelet')
  readonly #usage: UsageMeter<Run>
  readonly #machine: UsageMeter<Kubelet>
  readonly #start: UsageSample & { readonly time: number }
  #closed = false

  constructor(options: KubeletOptions) {
    this.#options = options
    this.#usage = new UsageMeter(options.clock)
    this.#machine = new UsageMeter(options.clock)
    this.#start = { ...machineSample(), time: options.clock.now() }
    this.#guard = new ProcessGuard(options.folder)
    this.#allocatable =
      options.allocatable ?? nodeStatus({ name: options.node }, options.hostIP, 0).allocatable ?? {}
    this.controller = controller(options.name ?? 'kubelet')
      .for(Pod, { predicate: (event) => event.object.spec.nodeName === options.node })
      .watches(ConfigMap, (configMap) => this.#usersOf('configMap', configMap.metadata))
      .watches(Secret, (secret) => this.#usersOf('secret', secret.metadata))
      .watches(PersistentVolumeClaim, (claim) => this.#usersOf('claim', claim.metadata))
      .watches(this.#changes, (key) => key)
      // Under simulated time in sequence, so that a run is the same each time.
      .options({ maxConcurrentReconciles: options.clock instanceof SystemClock ? 16 : 1 })
      .reconcile((request, context) => this.#reconcile(request, context))
  }

  /** Ends the processes that an earlier kubelet of the same folder has left, and prepares the folder. */
  async prepare(): Promise<void> {
    const made = await mkdir(this.#podsFolder, { recursive: true, mode: 0o700 })
    // A new folder has nothing left from an earlier kubelet.
    if (made === undefined) await this.#guard.endStrays()
  }

  /** Removes the folders of Pods that no longer exist. Called once, before the controller runs. */
  async recover(reader: Reader<ServerFields>): Promise<void> {
    const left = await readdir(this.#podsFolder)
    if (left.length === 0) return
    const pods = await reader.list(Pod, { fields: { 'spec.nodeName': this.#options.node } })
    const known = new Set(pods.map((pod) => pod.metadata.uid))
    for (const uid of left) {
      const folder = join(this.#podsFolder, uid)
      if (!known.has(uid)) await rm(folder, { recursive: true, force: true })
    }
  }

  /** Why processes have no limits here, as the end of a sentence. */
  get limitsProblem(): string | undefined {
    return this.#guard.limitsProblem
  }

  /** The name of its node. */
  get node(): string {
    return this.#options.node
  }

  /** The Pods of its node. */
  pods(): Pod[] {
    return [...this.#pods.values()]
  }

  /** Whether it runs the Pod. */
  has(pod: PodKey): boolean {
    return this.#runners.has(formatKey(pod))
  }

  /** The log of a container of a Pod; `undefined` when there is none (yet). */
  log(
    pod: PodKey,
    container: string,
    options: { previous?: boolean | undefined } = {},
  ): ContainerLog | undefined {
    return this.#runners.get(formatKey(pod))?.log(container, options)
  }

  /** Why a container does not run yet, in one word. */
  waitingFor(pod: PodKey, container: string): string {
    return this.#runners.get(formatKey(pod))?.waitingFor(container) ?? 'ContainerCreating'
  }

  /** Throws a kubelet's message unless the container runs now. */
  checkRunning(pod: PodKey, container: string | undefined): void {
    this.#running(pod, container)
  }

  /** Runs a command in a container, by default the Pod's first. Resolves when it has ended; the signal ends it. */
  exec(pod: PodKey, container: string | undefined, options: ExecOptions): Promise<Exit> {
    return Promise.resolve().then(() => execIn(this.#running(pod, container).place, options))
  }

  /** Joins the streams of a container's own process. Resolves when that has ended, or the signal aborts. */
  async attach(pod: PodKey, container: string | undefined, options: AttachOptions): Promise<Exit> {
    const { streams, run } = this.#running(pod, container)
    streams.attach(options)
    const aborted = new Promise<Exit>((resolve) => {
      if (options.signal.aborted) resolve(exitWith(0))
      options.signal.addEventListener('abort', () => resolve(exitWith(0)), { once: true })
    })
    return Promise.race([run.exited, aborted])
  }

  /**
   * Opens a connection to a port of a Pod: on the Pod's address, or else on 127.0.0.1 where a container of the Pod listens
   * there. Fails with `CONNECTION_REFUSED` where nothing of the Pod listens.
   */
  async connect(pod: PodKey, port: number): Promise<Connection> {
    const runner = this.#runner(pod)
    const { address } = runner
    if (!address) {
      throw new HomeostatError('POD_NOT_RUNNING', `pod ${formatKey(pod)} has no address: it is not running`)
    }
    const opened = openTcpConnection({ host: address.host, port: address.port(port) }).catch(
      async (error: unknown) => {
        const refused = error instanceof HomeostatError && error.code === 'CONNECTION_REFUSED'
        const host = refused ? await runner.localAddress(port) : undefined
        if (host === undefined) throw error
        return openTcpConnection({ host, port })
      },
    )
    holdClock(this.#options.clock, `a connection to ${formatKey(pod)}`, opened)
    return opened
  }

  /**
   * The current usage of the containers of the node's Pods. A container is missing until it has run for a moment. A
   * module has no figures, because it shares the processor time and the memory of this process with all
   * others.
   */
  podUsage(): PodUsage[] {
    return [...this.#pods.values()].flatMap((pod) => {
      const { namespace, name } = pod.metadata
      const runner = this.#runners.get(formatKey({ namespace, name }))
      const measured = (pod.status?.containerStatuses ?? []).flatMap((container) => {
        const startedAt = container.state?.running?.startedAt
        const run = runner?.current(container.name)?.run
        if (!run || startedAt === undefined) return []
        const sample = run.processes ? processSample(run.processes()) : { cpu: 0, memory: 0 }
        const start = { cpu: 0, memory: 0, time: Date.parse(startedAt) }
        const usage = sample && this.#usage.measure(run, sample, start)
        return usage ? [{ name: container.name, usage }] : []
      })
      const [first] = measured
      if (!first) return []
      const { time, window } = first.usage
      return [{ namespace, name, time, window, containers: measured }]
    })
  }

  /**
   * The current usage of the whole machine, since the node is the machine. Undefined until the kubelet has run for a moment.
   */
  nodeUsage(): NodeUsage | undefined {
    const usage = this.#machine.measure(this, machineSample(), this.#start)
    return usage && { name: this.#options.node, time: usage.time, window: usage.window, usage }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#runners.values()].map((runner) => runner.close({ keepFiles: true })))
    this.#runners.clear()
    await this.#guard.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #podsFolder(): string {
    return join(this.#options.folder, 'pods')
  }

  #runner(pod: PodKey): PodRunner {
    const runner = this.#runners.get(formatKey(pod))
    if (runner) return runner
    throw new HomeostatError(
      'POD_NOT_FOUND',
      `pod ${JSON.stringify(formatKey(pod))} does not run on this node`,
    )
  }

  #running(pod: PodKey, container: string | undefined): Launched {
    const runner = this.#runner(pod)
    const name = container ?? this.#pods.get(formatKey(pod))?.spec.containers[0]?.name ?? ''
    if (!runner.containers.includes(name)) {
      throw new HomeostatError('CONTAINER_NOT_FOUND', `container not found (${JSON.stringify(name)})`)
    }
    const current = runner.current(name)
    if (current) return current
    throw new HomeostatError(
      'CONTAINER_NOT_RUNNING',
      `container ${JSON.stringify(name)} of pod ${formatKey(pod)} is not running: see kubectl describe pod ${pod.name}`,
    )
  }

  async #reconcile(request: PodKey, { client, events }: ReconcileContext): Promise<void> {
    const pod = await client.get(Pod, request)
    const runner = await this.#runnerOf(request, pod)
    if (!pod || !runner) return
    await runner.step(pod, apiSources(client, pod, this.#options))
    for (const { type, reason, message, fieldPath } of runner.takeEvents()) {
      if (type === 'Warning') events.warning(pod, reason, message, { fieldPath })
      else events.normal(pod, reason, message, { fieldPath })
    }
    const status = runner.status(pod)
    if (!deepEqual(status, pod.status)) {
      try {
        await client.status.update(Pod, { ...pod, status })
      } catch (error) {
        // Force-deleted meanwhile: the event of its deletion follows.
        if (isNotFound(error)) return
        // Another client has changed the Pod meanwhile: the next reconcile repeats the step with the current one.
        if (isConflict(error)) return this.#changes.send(request)
        throw error
      }
    }
    if (!pod.metadata.deletionTimestamp || !runner.stopped) return
    const preconditions = { uid: pod.metadata.uid }
    await client.delete(Pod, request, { gracePeriodSeconds: 0, preconditions })
    await this.#forget(request)
  }

  /** The runner of the Pod, made if it needs one. A runner of a Pod that is gone is ended at once. */
  async #runnerOf(request: PodKey, pod: Pod | undefined): Promise<PodRunner | undefined> {
    const key = formatKey(request)
    const known = this.#runners.get(key)
    if (known && known.uid !== pod?.metadata.uid) await this.#forget(request)
    if (!pod || pod.spec.nodeName !== this.#options.node || this.#closed) return undefined
    this.#pods.set(key, pod)
    // Its end was confirmed already: finalizers of other controllers keep it.
    if (pod.metadata.deletionTimestamp && pod.metadata.deletionGracePeriodSeconds === 0) {
      await this.#forget(request)
      return undefined
    }
    let runner = this.#runners.get(key)
    if (!runner) {
      runner = new PodRunner(pod, {
        ...this.#options,
        allocatable: this.#allocatable,
        guard: this.#guard,
        folder: this.#podsFolder,
        changed: () => {
          if (!this.#closed) this.#changes.send(request)
        },
      })
      this.#runners.set(key, runner)
    }
    return runner
  }

  async #forget(request: PodKey): Promise<void> {
    const key = formatKey(request)
    const runner = this.#runners.get(key)
    this.#runners.delete(key)
    this.#pods.delete(key)
    await runner?.close({ force: true })
  }

  /** The Pods that mount the object, or take variables from it. */
  *#usersOf(type: PodSourceType, { namespace, name }: ObjectKey): Iterable<PodKey> {
    for (const pod of this.#pods.values()) {
      if (pod.metadata.namespace === namespace && podUses(pod, type, name)) {
        yield { namespace: pod.metadata.namespace, name: pod.metadata.name }
      }
    }
  }
}
