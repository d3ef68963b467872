import {
  collectionOf,
  createIfMissing,
  type Registry,
  removeObject,
  storedObject,
  specOf,
} from '../../registry/index.ts'
import { listOf } from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'

const SERVICES = '/services'

/**
 * Keeps one IPAddress for each address of a Service, so that `kubectl get ipaddresses` shows which Service has it.
 */
export function keepServiceAddresses(registry: Registry): void {
  const resource = registry.catalogue.find('networking.k8s.io', 'v1', 'ipaddresses')
  if (!resource) return
  registry.observe(({ resource: changed, entry, previous }) => {
    if (collectionOf(changed) !== SERVICES) return
    const now = addressesOf(entry)
    for (const address of addressesOf(previous)) {
      if (!now.includes(address)) removeObject(registry, resource, address)
    }
    if (!entry) return
    const { name = '', namespace = '' } = storedObject(entry).metadata
    for (const address of now) ensureAddress(registry, address, namespace, name)
  })
}

function addressesOf(entry: Stored | undefined): string[] {
  const addresses = entry ? listOf(specOf(storedObject(entry))['clusterIPs']) : []
  return addresses.filter((one): one is string => typeof one === 'string' && one !== '' && one !== 'None')
}

function ensureAddress(registry: Registry, address: string, namespace: string, name: string): void {
  const labels = {
    'ipaddress.kubernetes.io/ip-family': address.includes(':') ? 'IPv6' : 'IPv4',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  }
  createIfMissing(registry, {
    object: {
      kind: 'IPAddress',
      apiVersion: 'networking.k8s.io/v1',
      metadata: { name: address, labels },
      spec: { parentRef: { resource: 'services', namespace, name } },
    },
  })
}
