import { arch, cpus, hostname, platform, release, totalmem } from 'node:os'
import { timestamp, type CreateOf } from '@homeostat/api'
import type { CoreV1, Node } from '@homeostat/api/kinds'

/** The version of Kubernetes that the node behaves like. */
const KUBELET_VERSION = 'v1.36.3'
const RUNTIME_VERSION = 'homeostat://0.1.0'
/** More than a machine runs as processes; functions of this process are cheaper. */
const MOST_PODS = '1000'

/** The properties of a node. */
export interface NodeOptions {
  /** Besides those that every node has. Default: none. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly taints?: readonly CoreV1.Taint[] | undefined
  /** Values that replace those of the machine. */
  readonly capacity?: Readonly<Record<string, string>> | undefined
  /** Its part of the Pod network. */
  readonly podCIDR: string
}

/** This machine, as a node registers it. */
export function nodeObject(name: string, options: NodeOptions): CreateOf<typeof Node> {
  const { labels, taints, podCIDR } = options
  return {
    metadata: {
      name,
      labels: {
        ...labels,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': platform(),
        'kubernetes.io/arch': architecture(),
      },
    },
    spec: { podCIDR, podCIDRs: [podCIDR], ...(taints && taints.length > 0 ? { taints: [...taints] } : {}) },
  }
}

/** The status of a node that is ready. */
export function nodeStatus(
  node: { readonly name: string } & Pick<NodeOptions, 'capacity'>,
  address: string,
  now: number,
): CoreV1.NodeStatus {
  const capacity = {
    cpu: String(cpus().length),
    memory: `${Math.floor(totalmem() / 1024)}Ki`,
    pods: MOST_PODS,
    ...node.capacity,
  }
  const time = timestamp(now)
  const condition = (
    type: string,
    status: CoreV1.NodeCondition['status'],
    reason: string,
    message: string,
  ): CoreV1.NodeCondition => ({
    type,
    status,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason,
    message,
  })
  return {
    capacity,
    allocatable: capacity,
    conditions: [
      condition(
        'MemoryPressure',
        'False',
        'KubeletHasSufficientMemory',
        'kubelet has sufficient memory available',
      ),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: node.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: release(),
      osImage: `${platform()} on ${hostname()}`,
      containerRuntimeVersion: RUNTIME_VERSION,
      kubeletVersion: KUBELET_VERSION,
      kubeProxyVersion: KUBELET_VERSION,
      operatingSystem: platform(),
      architecture: architecture(),
    },
  }
}

/** The architecture of this machine, by its name in Go. */
function architecture(): string {
  return { x64: 'amd64', ia32: '386' }[arch() as string] ?? arch()
}
