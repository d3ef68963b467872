import { ensureObject, type OwnObject, type Registry, replaceParts } from '../../registry/index.ts'
import { isStoreFailure } from '../../storage/index.ts'

/** Where the API is reached. */
export interface ApiEndpoint {
  readonly address: string
  readonly port: number
}

const KEY = { namespace: 'default', name: 'kubernetes' }

/**
 * Says in the Endpoints and the EndpointSlice of the Service `kubernetes` where the API listens, and makes them when it first
 * listens; nowhere where no endpoint is given. Objects of an earlier process are brought up to date, later where the store takes no writes now.
 */
export function publishEndpoint(registry: Registry, endpoint: ApiEndpoint | undefined): void {
  try {
    writeEndpoint(registry, endpoint)
  } catch (error) {
    // A store that takes no writes at the moment must not stop the server.
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
    if (endpoint) ensureObject(registry, { object: { ...object, ...where }, generation })
    replaceParts(registry, object, where)
  }
}
