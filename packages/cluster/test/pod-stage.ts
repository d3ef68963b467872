import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import type { ConfigMap, CoreV1, Pod, Secret } from '@homeostat/api/kinds'
import type { Container, ImageMap, OutputWriter } from '../src/images/index.ts'
import { bundledImages } from '../src/stand-ins/index.ts'
import { execIn } from '../src/kubelet/process/exec.ts'
import type { Launched } from '../src/kubelet/container/launch.ts'
import { PodProblem } from '../src/kubelet/sources/pod-problem.ts'
import { PodRunner, type PodRunnerOptions } from '../src/kubelet/pod/pod-runner.ts'
import type { PodSources } from '../src/kubelet/sources/pod-sources.ts'
import type { PodEvent } from '../src/kubelet/container/pod-context.ts'
import { ProcessGuard } from '../src/kubelet/separation/index.ts'
import type { Exit } from '../src/kubelet/process/run.ts'
import { Loopback, PodNetwork } from '../src/network/index.ts'

/** A container that a test ends at will. */
export interface Puppet {
  readonly container: Container
  exit(code: number): void
}

/** Runs one Pod under simulated time, as a kubelet does: with a step and the new status whenever something changes. */
export class PodStage implements AsyncDisposable {
  readonly clock = new SimulatedClock()
  readonly configMaps = new Map<string, Partial<ConfigMap>>()
  readonly secrets = new Map<string, Partial<Secret>>()
  readonly puppets: Puppet[] = []
  readonly folder: string
  readonly events: PodEvent[] = []
  images: ImageMap
  sources: Partial<PodSources> = {}
  steps = 0
  runner!: PodRunner
  pod!: Pod
  readonly #loopback: Loopback
  readonly #guard: ProcessGuard
  #stepping: Promise<void> = Promise.resolve()

  private constructor(folder: string, loopback: Loopback) {
    this.folder = folder
    this.#loopback = loopback
    this.#guard = new ProcessGuard(folder)
    this.images = {
      ...bundledImages,
      puppet: { module: (container) => this.#puppet(container) },
      deaf: { module: () => new Promise(() => undefined) },
      // Any command of this machine, and a few.
      host: { command: 'sh', hostCommands: true },
      limited: { command: 'true', commands: ['false', 'sleep', 'test'] },
    }
  }

  static async open(): Promise<PodStage> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'homeostat-kubelet-')))
    return new PodStage(folder, await Loopback.claim())
  }

  /** Runs a Pod until nothing happens any more. */
  async run(spec: Partial<CoreV1.PodSpec>, options: Partial<PodRunnerOptions> = {}): Promise<void> {
    this.pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace: 'default',
        name: 'web',
        uid: 'uid-1',
        generation: 1,
        resourceVersion: '1',
        creationTimestamp: '2026-01-01T12:00:00Z',
      },
      spec: { restartPolicy: 'Always', ...spec } as CoreV1.PodSpec,
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    }
    await this.resume(options)
  }

  /** Ends everything as a kubelet that stops: the status in the API stays as it is. */
  async stop(): Promise<void> {
    const before = this.pod
    await this.runner.close({ keepFiles: true })
    await this.clock.settle()
    this.pod = before
  }

  /** Runs the existing Pod again, as a restarted node does. */
  async resume(options: Partial<PodRunnerOptions> = {}): Promise<void> {
    this.runner = new PodRunner(this.pod, {
      clock: this.clock,
      images: this.images,
      guard: this.#guard,
      network: new PodNetwork(this.#loopback),
      hostIP: '127.0.0.1',
      folder: this.folder,
      changed: () => void this.step(),
      ...options,
    })
    await this.step()
    await this.clock.settle()
  }

  step(): Promise<void> {
    const work = this.clock.busy('a step')
    const before = this.#stepping
    this.#stepping = (async () => {
      await before
      this.steps++
      await this.runner.step(this.pod, {
        configMap: (name) => Promise.resolve(this.configMaps.get(name) as ConfigMap | undefined),
        secret: (name) => Promise.resolve(this.secrets.get(name) as Secret | undefined),
        token: () => Promise.reject(new Error('no tokens here')),
        claim: (name) => Promise.reject(new PodProblem(`persistentvolumeclaim "${name}" not found`)),
        ...this.sources,
      })
      this.pod = { ...this.pod, status: this.runner.status(this.pod) }
      this.events.push(...this.runner.takeEvents())
      work.end()
    })()
    return this.#stepping
  }

  /** Deletes the Pod. */
  async remove(graceSeconds: number): Promise<void> {
    this.pod = {
      ...this.pod,
      metadata: { ...this.pod.metadata, deletionTimestamp: 'now', deletionGracePeriodSeconds: graceSeconds },
    }
    await this.step()
    await this.clock.settle()
  }

  /** The status of a container, by default of the first. */
  status(name?: string): CoreV1.ContainerStatus {
    const {
      containerStatuses = [],
      initContainerStatuses = [],
      ephemeralContainerStatuses = [],
    } = this.pod.status
    const all = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses]
    return all.find((status) => name === undefined || status.name === name) as CoreV1.ContainerStatus
  }

  condition(type: string): string | undefined {
    return this.pod.status.conditions?.find((entry) => entry.type === type)?.status
  }

  /** The puppet of a container's latest run. */
  puppet(name: string): Puppet {
    return this.puppets.findLast(({ container }) => container.name === name) as Puppet
  }

  /** The events so far, without the parts of the Pod that they name. */
  get plainEvents(): PodEvent[] {
    return this.events.map(({ type, reason, message }) => ({ type, reason, message }))
  }

  /** The events of a reason, as `kubectl describe` shows them. */
  messages(reason: string): string[] {
    return this.events.filter((event) => event.reason === reason).map(({ message }) => message)
  }

  async logOf(name: string, options: { previous?: boolean } = {}): Promise<string> {
    let text = ''
    for await (const chunk of this.runner.log(name, options)?.read() ?? [])
      text += new TextDecoder().decode(chunk)
    return text
  }

  /** Runs a command in a container, and returns its output. */
  async exec(
    container: string,
    command: readonly string[],
    options: { stdin?: AsyncIterable<Uint8Array>; signal?: AbortSignal } = {},
  ): Promise<{ exit: Exit; stdout: string; stderr: string }> {
    const written = { stdout: '', stderr: '' }
    const writer = (name: 'stdout' | 'stderr'): OutputWriter => ({
      write: (text) => void (written[name] += Buffer.from(text).toString()),
    })
    const { place } = this.runner.current(container) as Launched
    const exit = await execIn(place, {
      signal: new AbortController().signal,
      ...options,
      command,
      stdout: writer('stdout'),
      stderr: writer('stderr'),
    })
    return { exit, ...written }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runner.close()
    await this.#guard.close()
    await this.#loopback.close()
    await rm(this.folder, { recursive: true })
  }

  #puppet(container: Container): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    this.puppets.push({ container, exit: resolve })
    container.signal.addEventListener('abort', () => resolve(0))
    return promise
  }
}
