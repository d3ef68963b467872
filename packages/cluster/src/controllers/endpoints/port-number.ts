import type { Pod, Service } from '@homeostat/api/kinds'

type ServicePort = NonNullable<Service['spec']['ports']>[number]

/** The number that a port of a Service has in a Pod; `undefined` when the Pod has no port of that name. */
export function portNumber(port: ServicePort, { spec }: Pod): number | undefined {
  const target = port.targetPort ?? port.port
  if (typeof target === 'number') return target
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  return [...spec.containers, ...sidecars]
    .flatMap((container) => container.ports ?? [])
    .find(({ name, protocol }) => name === target && (protocol ?? 'TCP') === (port.protocol ?? 'TCP'))
    ?.containerPort
}
