import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { formatKey, type Clock, type ObjectKey } from '@homeostat/api'
import { ConfigMap, Pod, Secret } from '@homeostat/api/kinds'
import {
  Channel,
  controller,
  isNotFound,
  type Controller,
  type ReconcileContext,
  type Reader,
} from 'homeostat'
import type { ImageMap } from '../images/index.ts'
import type { PodNetwork } from '../network/index.ts'
import type { ContainerLog } from './container-log.ts'
import { PodRunner } from './pod-runner.ts'
import { ProcessGuard } from './process-guard.ts'
import type { ConfigReader } from './volumes/index.ts'

export interface KubeletOptions {
  readonly node: string
  readonly hostIP: string
  readonly clock: Clock
  readonly images: ImageMap
  readonly network: PodNetwork
  /** A folder of the kubelet's own. What earlier processes left in it is removed. */
  readonly folder: string
}

type PodKey = { readonly namespace: string; readonly name: string }

/**
 * Runs the Pods that are bound to its node as processes and functions of this machine, and writes their
 * status. It is a controller like others: `changed` of a Pod's runner only asks for a reconcile, and a
 * reconcile takes whatever step is next. Closing it ends everything that it started.
 */
export class Kubelet implements AsyncDisposable {
  readonly controller: Controller
  readonly #options: KubeletOptions
  readonly #guard: ProcessGuard
  readonly #runners = new Map<string, PodRunner>()
  readonly #pods = new Map<string, Pod>()
  readonly #changes = new Channel<PodKey>('kubelet')
  #closed = false

  constructor(options: KubeletOptions) {
    this.#options = options
    this.#guard = new ProcessGuard(options.folder)
    this.controller = controller('kubelet')
      .for(Pod, { predicate: (event) => event.object.spec.nodeName === options.node })
      .watches(ConfigMap, (configMap) => this.#usersOf('configMap', configMap.metadata))
      .watches(Secret, (secret) => this.#usersOf('secret', secret.metadata))
      .watches(this.#changes, (key) => key)
      .options({ maxConcurrentReconciles: 16 })
      .reconcile((request, context) => this.#reconcile(request, context))
  }

  /** Makes the folder ready. */
  async prepare(): Promise<void> {
    const pods = join(this.#options.folder, 'pods')
    await rm(pods, { recursive: true, force: true })
    await mkdir(pods, { recursive: true, mode: 0o700 })
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

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#runners.values()].map((runner) => runner.close()))
    this.#runners.clear()
    await this.#guard.close()
    await rm(join(this.#options.folder, 'pods'), { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #reconcile(request: PodKey, { client, events }: ReconcileContext): Promise<void> {
    const pod = await client.get(Pod, request)
    const runner = await this.#runnerOf(request, pod)
    if (!pod || !runner) return
    await runner.step(pod, configReader(client, request.namespace))
    for (const { type, reason, message } of runner.takeEvents()) {
      if (type === 'Warning') events.warning(pod, reason, message)
      else events.normal(pod, reason, message)
    }
    const status = runner.status(pod)
    if (!isDeepStrictEqual(status, pod.status)) {
      try {
        await client.status.update(Pod, { ...pod, status })
      } catch (error) {
        // Deleted by force meanwhile: the event of its deletion is on its way.
        if (isNotFound(error)) return
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
    if (!pod || pod.spec.nodeName !== this.#options.node) return undefined
    this.#pods.set(key, pod)
    // Its end was confirmed already: finalizers of others hold it.
    if (pod.metadata.deletionTimestamp && pod.metadata.deletionGracePeriodSeconds === 0) {
      await this.#forget(request)
      return undefined
    }
    let runner = this.#runners.get(key)
    if (!runner) {
      const { clock, images, network, hostIP, folder } = this.#options
      runner = new PodRunner(pod, {
        clock,
        images,
        network,
        hostIP,
        guard: this.#guard,
        folder: join(folder, 'pods'),
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

  /** The Pods that mount a ConfigMap or Secret, or take variables from it. */
  *#usersOf(type: 'configMap' | 'secret', { namespace, name }: ObjectKey): Iterable<PodKey> {
    for (const pod of this.#pods.values()) {
      if (pod.metadata.namespace === namespace && uses(pod, type, name)) {
        yield { namespace: pod.metadata.namespace, name: pod.metadata.name }
      }
    }
  }
}

function uses(pod: Pod, type: 'configMap' | 'secret', name: string): boolean {
  const volumes = pod.spec.volumes ?? []
  const sources = volumes.flatMap((volume) => volume.projected?.sources ?? [])
  const containers = [...(pod.spec.initContainers ?? []), ...pod.spec.containers]
  if (type === 'configMap') {
    return (
      volumes.some((volume) => volume.configMap?.name === name) ||
      sources.some((source) => source.configMap?.name === name) ||
      containers.some(
        ({ env, envFrom }) =>
          env?.some((entry) => entry.valueFrom?.configMapKeyRef?.name === name) ||
          envFrom?.some((source) => source.configMapRef?.name === name),
      )
    )
  }
  return (
    volumes.some((volume) => volume.secret?.secretName === name) ||
    sources.some((source) => source.secret?.name === name) ||
    containers.some(
      ({ env, envFrom }) =>
        env?.some((entry) => entry.valueFrom?.secretKeyRef?.name === name) ||
        envFrom?.some((source) => source.secretRef?.name === name),
    )
  )
}

function configReader(client: Reader, namespace: string): ConfigReader {
  return {
    configMap: (name) => client.get(ConfigMap, { namespace, name }),
    secret: (name) => client.get(Secret, { namespace, name }),
  }
}
