import { Endpoints, EndpointSlice } from '@homeostat/api/kinds'
import type { Client } from 'homeostat'

/** Where the Service `kubernetes` finds the API: an address of the Pod network that stands for the node itself. */
export const API_ADDRESS = '10.244.0.1'

const KEY = { namespace: 'default', name: 'kubernetes' }

/**
 * Says where the API listens, as an API server of a real cluster does for itself; `undefined` where no port is open, so that
 * the Service has no endpoint.
 */
export async function publishApi(client: Client, port: number | undefined): Promise<void> {
  const ports = port === undefined ? [] : [{ name: 'https', port, protocol: 'TCP' as const }]
  const ready = port !== undefined
  const slice = {
    addressType: 'IPv4' as const,
    ports,
    endpoints: ready ? [{ addresses: [API_ADDRESS], conditions: { ready: true } }] : [],
  }
  const subsets = ready ? [{ addresses: [{ ip: API_ADDRESS }], ports }] : []
  const knownSlice = await client.get(EndpointSlice, KEY)
  const labels = { 'kubernetes.io/service-name': KEY.name }
  if (knownSlice) await client.update(EndpointSlice, { ...knownSlice, ...slice })
  else await client.create(EndpointSlice, { metadata: { ...KEY, labels }, ...slice })
  const known = await client.get(Endpoints, KEY)
  const skip = { 'endpointslice.kubernetes.io/skip-mirror': 'true' }
  if (known) await client.update(Endpoints, { ...known, subsets })
  else await client.create(Endpoints, { metadata: { ...KEY, labels: skip }, subsets })
}
