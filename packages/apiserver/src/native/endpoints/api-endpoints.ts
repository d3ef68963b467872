import { createIfMissing, type OwnObject, type Registry, replaceParts } from '../../registry/index.ts'
import { isStoreFailure } from '../../storage/index.ts'

/** An address at which clients reach the API. */
export interface ApiEndpoint {
  readonly address: string
  readonly port: number
}

const KEY = { namespace: 'default', name: 'kubernetes' }

/**
 * Writes the API's address into the Endpoints and the EndpointSlice of the Service `kubernetes`, and creates both
 * when the API first listens. Without an address it empties those of an earlier process. Where the store accepts no
 * writes now, it tries again later.
 */
export function publishEndpoint(registry: Registry, endpoint: ApiEndpoint | undefined): void {
  try {
    writeEndpoint(registry, endpoint)
  } catch (error) {
    // A store that accepts no writes now must not stop the server.
    if (!isStoreFailure(error)) throw error
    registry.soon('the endpoints of the API', () => writeEndpoint(registry, endpoint))
  }
}

function writeEndpoint(registry: Registry, endpoint: ApiEndpoint | undefined): void {
  const ports = endpoint ? [{ name: 'https', port: endpoint.port, protocol: 'TCP' }] : []
  const parts: [OwnObject['object'], Record<string, unknown>][] = [
    [
      {
        kind: 'Endpoints',
        apiVersion: 'v1',
        metadata: { ...KEY, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      },
      { subsets: endpoint ? [{ addresses: [{ ip: endpoint.address }], ports }] : [] },
    ],
    [
      {
        kind: 'EndpointSlice',
        apiVersion: 'discovery.k8s.io/v1',
        metadata: { ...KEY, labels: { 'kubernetes.io/service-name': KEY.name } },
        addressType: endpoint?.address.includes(':') ? 'IPv6' : 'IPv4',
      },
      { endpoints: endpoint ? [{ addresses: [endpoint.address], conditions: { ready: true } }] : [], ports },
    ],
  ]
  for (const [object, where] of parts) {
    const generation = object.kind === 'EndpointSlice'
    if (endpoint) createIfMissing(registry, { object: { ...object, ...where }, generation })
    replaceParts(registry, object, where)
  }
}
