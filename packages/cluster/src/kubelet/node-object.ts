import { arch, cpus, hostname, platform, release, totalmem } from 'node:os'
import { timestamp, type CreateOf } from '@homeostat/api'
import type { CoreV1, Node } from '@homeostat/api/kinds'

/** The version of Kubernetes that the node behaves like. */
const KUBELET_VERSION = 'v1.36.3'
const RUNTIME_VERSION = 'homeostat://0.1.0'
/** More than a machine runs as processes; functions of this process are cheaper. */
const MOST_PODS = '1000'

/** This machine, as a node registers it. */
export function nodeObject(name: string): CreateOf<typeof Node> {
  return {
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': platform(),
        'kubernetes.io/arch': architecture(),
      },
    },
    spec: { podCIDR: '10.244.0.0/16', podCIDRs: ['10.244.0.0/16'] },
  }
}

/** The status of a node that is ready. */
export function nodeStatus(name: string, address: string, now: number): CoreV1.NodeStatus {
  const capacity = {
    cpu: String(cpus().length),
    memory: `${Math.floor(totalmem() / 1024)}Ki`,
    pods: MOST_PODS,
  }
  const time = timestamp(now)
  const condition = (
    type: string,
    status: string,
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
      { type: 'Hostname', address: name },
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

/** By the names that Go has. */
function architecture(): string {
  return { x64: 'amd64', ia32: '386' }[arch() as string] ?? arch()
}
