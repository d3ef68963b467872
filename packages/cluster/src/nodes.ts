import { HomeostatError, type ApiHandler } from '@homeostat/api'
import type { NodeUsage, PodUsage, ResourceMetrics } from '@homeostat/apiserver'
import { kubeletPages, type Kubelet } from './kubelet/index.ts'

/** The requests of the cluster to the kubelet that runs a Pod. */
type PodHost = Pick<Kubelet, 'log' | 'waitingFor' | 'checkRunning' | 'exec' | 'attach' | 'connect'>
type PodKey = Parameters<Kubelet['log']>[0]

/** The nodes of a cluster. Passes requests about a Pod to the node that runs it. */
export class Nodes implements PodHost, ResourceMetrics {
  readonly #kubelets: Kubelet[] = []

  add(kubelet: Kubelet): void {
    this.#kubelets.push(kubelet)
  }

  log(...[pod, ...rest]: Parameters<Kubelet['log']>): ReturnType<Kubelet['log']> {
    return this.#of(pod)?.log(pod, ...rest)
  }

  waitingFor(...[pod, ...rest]: Parameters<Kubelet['waitingFor']>): string {
    return this.#of(pod)?.waitingFor(pod, ...rest) ?? 'ContainerCreating'
  }

  checkRunning(...[pod, ...rest]: Parameters<Kubelet['checkRunning']>): void {
    this.#host(pod).checkRunning(pod, ...rest)
  }

  async exec(...[pod, ...rest]: Parameters<Kubelet['exec']>): ReturnType<Kubelet['exec']> {
    return this.#host(pod).exec(pod, ...rest)
  }

  async attach(...[pod, ...rest]: Parameters<Kubelet['attach']>): ReturnType<Kubelet['attach']> {
    return this.#host(pod).attach(pod, ...rest)
  }

  async connect(...[pod, ...rest]: Parameters<Kubelet['connect']>): ReturnType<Kubelet['connect']> {
    return this.#host(pod).connect(pod, ...rest)
  }

  /** Answers a request to a node's kubelet; undefined if the cluster has no such node. */
  handler(node: string): ApiHandler | undefined {
    const kubelet = this.#kubelets.find((one) => one.node === node)
    return kubelet && kubeletPages(kubelet)
  }

  nodes(): NodeUsage[] {
    return this.#kubelets.flatMap((kubelet) => kubelet.nodeUsage() ?? [])
  }

  pods(): PodUsage[] {
    return this.#kubelets.flatMap((kubelet) => kubelet.podUsage())
  }

  #of(pod: PodKey): Kubelet | undefined {
    return this.#kubelets.find((kubelet) => kubelet.has(pod))
  }

  #host(pod: PodKey): Kubelet {
    const kubelet = this.#of(pod)
    if (kubelet) return kubelet
    throw new HomeostatError(
      'POD_NOT_RUNNING',
      `pod ${pod.name} of namespace ${pod.namespace} does not run on any node`,
    )
  }
}
