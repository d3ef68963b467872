import { timestamp, type ApiHandler, type ApiResponse } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import type { NodeUsage, PodUsage, ResourceUsage } from '@homeostat/apiserver'

/** The state that the pages show. */
export interface KubeletState {
  pods(): readonly Pod[]
  podUsage(): readonly PodUsage[]
  nodeUsage(): NodeUsage | undefined
}

const encoder = new TextEncoder()
const NANOCORES = 1e9

/** The pages of a kubelet's port that clients ask for through `nodes/<name>/proxy`: health, Pods, and what they use. */
export function kubeletPages(state: KubeletState): ApiHandler {
  return async ({ method, path }) => {
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'Method Not Allowed\n')
    switch (path) {
      case '/healthz':
        return text(200, 'ok')
      case '/pods':
      case '/pods/':
        return json({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: state.pods() })
      case '/stats/summary':
        return json(summary(state))
      default:
        return text(404, '404 page not found\n')
    }
  }
}

function summary(state: KubeletState): object {
  const node = state.nodeUsage()
  return {
    ...(node && { node: { nodeName: node.name, ...stats(node.usage, node.time) } }),
    pods: state.podUsage().map(({ namespace, name, time, containers }) => ({
      podRef: { name, namespace },
      containers: containers.map((container) => ({ name: container.name, ...stats(container.usage, time) })),
    })),
  }
}

function stats({ cpu, memory }: ResourceUsage, at: number): object {
  const time = timestamp(at)
  return {
    cpu: { time, usageNanoCores: Math.round(cpu * NANOCORES) },
    memory: { time, workingSetBytes: Math.round(memory) },
  }
}

function json(document: object): ApiResponse {
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, body: encoder.encode(JSON.stringify(document)) }
}

function text(status: number, words: string): ApiResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: encoder.encode(words) }
}
