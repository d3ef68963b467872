import type { Pod } from '@homeostat/api/kinds'

interface HostPort {
  readonly ip: string
  readonly port: number
  readonly protocol: string
}

/** Whether a Pod wants a port of its node that one of the others has. */
export function portsClash(pod: Pod, others: readonly Pod[]): boolean {
  const wanted = hostPorts(pod)
  if (wanted.length === 0) return false
  const taken = others.flatMap(hostPorts)
  return wanted.some((port) => taken.some((other) => sameSocket(port, other)))
}

function hostPorts({ spec }: Pod): HostPort[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  return [...spec.containers, ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, hostIP, protocol }) =>
      hostPort ? [{ ip: hostIP || '0.0.0.0', port: hostPort, protocol: protocol ?? 'TCP' }] : [],
    ),
  )
}

function sameSocket(a: HostPort, b: HostPort): boolean {
  const sameAddress = a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0'
  return a.port === b.port && a.protocol === b.protocol && sameAddress
}
