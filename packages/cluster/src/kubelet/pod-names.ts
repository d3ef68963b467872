import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import type { ClusterNetwork, HostsFile, PodAddress } from '../network/index.ts'
import type { HostsMount, HostsMounts } from './hosts-mounts.ts'
import { processHosts } from './process-hosts.ts'

export interface PodNamesOptions {
  readonly clock: Clock
  /** Default: names are in no file. */
  readonly cluster?: Pick<ClusterNetwork, 'openHostsFile' | 'loopbackAddress'> | undefined
  /** Default: processes see the machine's own file. */
  readonly hostsMounts?: Pick<HostsMounts, 'problem' | 'mount'> | undefined
  /** The Pod's own folder. */
  readonly podFolder: string
  /** Told when names could not be shown to a process, though the system can. It runs all the same. */
  readonly failed: (message: string) => void
}

/** The names that the processes of one Pod know, made when the first of them starts. */
export class PodNames {
  readonly #options: PodNamesOptions
  /** The last is the one for processes that start now; others may still run commands by those before. */
  readonly #mounts: HostsMount[] = []
  #file: HostsFile | undefined
  #closed = false

  constructor(options: PodNamesOptions) {
    this.#options = options
  }

  /** How a process of the Pod is to be started; `undefined` where this system cannot show it any names. */
  async mount(pod: Pod, address: PodAddress): Promise<HostsMount | undefined> {
    const { clock, cluster, hostsMounts } = this.#options
    if (!cluster || !hostsMounts) return undefined
    using _work = clock.busy('names for a process')
    if ((await hostsMounts.problem()) !== undefined) return undefined
    const last = this.#mounts.at(-1)
    if (last?.valid) return last
    this.#file ??= cluster.openHostsFile({
      path: join(this.#options.podFolder, 'hosts'),
      namespace: pod.metadata.namespace,
      head: processHosts({
        pod,
        address,
        machine: machineHosts(),
        loopbackAddress: (ip) => cluster.loopbackAddress(ip),
      }),
    })
    try {
      const mount = await hostsMounts.mount(this.#file.path)
      if (this.#closed) mount.close()
      else this.#mounts.push(mount)
      return mount
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#options.failed(`Names of Services do not resolve in processes other than Node: ${why}`)
      return undefined
    }
  }

  /** Processes that run keep the names that they know. */
  close(): void {
    this.#closed = true
    this.#file?.close()
    this.#file = undefined
    for (const mount of this.#mounts.splice(0)) mount.close()
  }
}

function machineHosts(): string {
  try {
    return readFileSync('/etc/hosts', 'utf8')
  } catch {
    return ''
  }
}
