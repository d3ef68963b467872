import type { ObjectOf } from '@homeostat/api'
import type { EndpointSlice } from '@homeostat/api/kinds'
import type { PodNetwork, SocketAddress } from './pod-network.ts'

/** The label by which a slice names its Service. */
export const SERVICE_NAME_LABEL = 'kubernetes.io/service-name'

/**
 * Where a port of a Service leads: the ready endpoints of its slices that stand on the Pod network.
 * A port without a name is the only one of its Service.
 */
export function serviceTargets(
  slices: readonly ObjectOf<typeof EndpointSlice>[],
  portName: string | undefined,
  network: Pick<PodNetwork, 'locate'>,
): SocketAddress[] {
  const targets: SocketAddress[] = []
  for (const slice of slices) {
    const port = slice.ports?.find((entry) => (entry.name ?? '') === (portName ?? ''))?.port
    if (port === undefined) continue
    for (const endpoint of slice.endpoints ?? []) {
      if (endpoint.conditions?.ready === false) continue
      const target =
        endpoint.addresses[0] === undefined ? undefined : network.locate(endpoint.addresses[0], port)
      if (target) targets.push(target)
    }
  }
  return targets
}
