import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import type { ClusterNetwork, HostsFile, PodAddress } from '../../network/index.ts'
import { PodProblem } from '../sources/index.ts'
import { processHosts } from './process-hosts.ts'
import type { PodNamespace, PodNamespaces } from '../separation/index.ts'

export interface PodSandboxOptions {
  readonly clock: Clock
  /** Default: names are in no file. */
  readonly cluster?: Pick<ClusterNetwork, 'openHostsFile' | 'loopbackAddress'> | undefined
  /** Default: processes see what the machine has. */
  readonly namespaces?: Pick<PodNamespaces, 'namesProblem' | 'separationProblem' | 'make'> | undefined
  /** Shows processes a hosts file with the names of the cluster. Default: true. */
  readonly processNames?: boolean | undefined
  /** The Pod's own folder. */
  readonly podFolder: string
  /** The folders of the Pod's volumes. */
  readonly volumes: { readonly folders: readonly string[] }
  /** Called when a process cannot see the names, although the system supports that. The process runs nevertheless. */
  readonly failed: (message: string) => void
}

/** The view that a Pod's processes have of the machine and of the cluster, created when the first of them starts. */
export class PodSandbox {
  readonly #options: PodSandboxOptions
  /** The last one is for processes that start now. Running processes may still use the ones before it. */
  readonly #namespaces: PodNamespace[] = []
  #file: HostsFile | undefined
  #closed = false

  constructor(options: PodSandboxOptions) {
    this.#options = options
  }

  /**
   * How to start a process of the Pod; `undefined` where this system has no namespaces. Throws a `PodProblem` when a
   * system that separates Pods fails to separate this one: its processes must not run without separation.
   */
  async namespace(pod: Pod, address: PodAddress): Promise<PodNamespace | undefined> {
    const { clock, namespaces, podFolder, volumes } = this.#options
    if (!namespaces) return undefined
    using _work = clock.busy('the namespaces of a process')
    const separated = (await namespaces.separationProblem()) === undefined
    const hosts = await this.#hosts(pod, address)
    if (!separated && hosts === undefined) return undefined
    const last = this.#namespaces.at(-1)
    if (last?.valid) return last
    try {
      const made = await namespaces.make({ hosts, folders: [podFolder, ...volumes.folders] })
      if (this.#closed) made?.close()
      else if (made) this.#namespaces.push(made)
      return made
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (separated) throw new PodProblem(`the Pod cannot be separated from others: ${why}`)
      this.#options.failed(`Names of Services do not resolve in processes other than Node: ${why}`)
      return undefined
    }
  }

  /** Ends processes that still run, if they are separated; others keep their view of the files. */
  close(): void {
    this.#closed = true
    this.#file?.close()
    this.#file = undefined
    for (const namespace of this.#namespaces.splice(0)) namespace.close()
  }

  async #hosts(pod: Pod, address: PodAddress): Promise<string | undefined> {
    const { cluster, namespaces, processNames, podFolder } = this.#options
    if (!cluster || !namespaces || processNames === false) return undefined
    if ((await namespaces.namesProblem()) !== undefined) return undefined
    this.#file ??= cluster.openHostsFile({
      path: join(podFolder, 'hosts'),
      namespace: pod.metadata.namespace,
      head: processHosts({
        pod,
        address,
        machine: machineHosts(),
        loopbackAddress: (ip) => cluster.loopbackAddress(ip),
      }),
    })
    return this.#file.path
  }
}

function machineHosts(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8')
  } catch {
    return ''
  }
}
