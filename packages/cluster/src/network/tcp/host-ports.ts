import { formatKey, HomeostatError, type DeepReadonly } from '@homeostat/api'
import { Pod, type CoreV1 } from '@homeostat/api/kinds'
import { controller, type Controller, type ReconcileContext, type Result } from 'homeostat'
import type { Locator } from '../addresses/index.ts'
import { TcpProxy } from './tcp-proxy.ts'

interface PodKey {
  readonly namespace: string
  readonly name: string
}

type Port = DeepReadonly<CoreV1.ContainerPort>

/** A port of the node that leads to a port of a Pod. */
interface HostPort {
  readonly podIP: string
  readonly containerPort: number
  readonly proxy: TcpProxy
}

const HOST = '127.0.0.1'
/** When a port that could not be opened is tried again. */
const RETRY = '15s'

/**
 * Opens the ports of the node that Pods ask for (`hostPort`), on 127.0.0.1, while the Pod has an address. If one
 * cannot be opened, an event of the Pod says so, and it is retried.
 */
export class HostPorts implements AsyncDisposable {
  readonly controller: Controller
  readonly #locator: Locator
  readonly #byPod = new Map<string, Map<number, HostPort>>()

  constructor(locator: Locator) {
    this.#locator = locator
    this.controller = controller('host-ports')
      .for(Pod, { predicate: ({ object }) => hostPorts(object).length > 0 })
      .reconcile((request, context) => this.#reconcile(request, context))
  }

  async close(): Promise<void> {
    const open = [...this.#byPod.values()].flatMap((ports) => [...ports.values()])
    this.#byPod.clear()
    await Promise.all(open.map(({ proxy }) => proxy.close()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #reconcile(request: PodKey, { client, events }: ReconcileContext): Promise<Result | void> {
    const pod = await client.get(Pod, request)
    const podIP = pod && !isOver(pod) ? pod.status.podIP : undefined
    const wanted = pod && podIP !== undefined ? hostPorts(pod) : []
    const open = this.#openPorts(request, podIP, wanted)
    let failed = false
    for (const { hostPort = 0, containerPort, protocol = 'TCP' } of wanted) {
      if (!pod || podIP === undefined || open.has(hostPort)) continue
      if (protocol !== 'TCP') {
        const note = `host port ${hostPort}/${protocol} is not served: this cluster carries only TCP`
        events.warning(pod, 'UnsupportedProtocol', note)
        continue
      }
      try {
        const proxy = new TcpProxy(() => this.#route(podIP, containerPort))
        await proxy.open(HOST, hostPort)
        open.set(hostPort, { podIP, containerPort, proxy })
      } catch (error) {
        if (!(error instanceof HomeostatError)) throw error
        events.warning(pod, 'HostPortUnavailable', error.message)
        failed = true
      }
    }
    if (open.size === 0) this.#byPod.delete(formatKey(request))
    return failed ? { requeueAfter: RETRY } : undefined
  }

  /** The Pod's open ports, after those that it no longer declares are closed. */
  #openPorts(key: PodKey, podIP: string | undefined, wanted: readonly Port[]): Map<number, HostPort> {
    const text = formatKey(key)
    const open = this.#byPod.get(text) ?? new Map<number, HostPort>()
    this.#byPod.set(text, open)
    for (const [number, port] of open) {
      const same = wanted.some((one) => one.hostPort === number && one.containerPort === port.containerPort)
      if (same && port.podIP === podIP) continue
      open.delete(number)
      void port.proxy.close()
    }
    return open
  }

  #route(podIP: string, port: number): { readonly address: { host: string; port: number } }[] {
    const address = this.#locator.locate(podIP, port)
    return address ? [{ address }] : []
  }
}

function hostPorts(pod: Pod): Port[] {
  return pod.spec.containers.flatMap(({ ports }) => ports ?? []).filter(({ hostPort }) => (hostPort ?? 0) > 0)
}

function isOver({ status }: Pod): boolean {
  return status.phase === 'Succeeded' || status.phase === 'Failed'
}
