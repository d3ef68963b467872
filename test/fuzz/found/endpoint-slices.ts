import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import type { TreeObject } from '../json-tree.ts'
import { APPLY, create, found, MERGE, NAMESPACED, patch, store } from './found-case.ts'

/** Mapped addresses, and the deprecated topology of endpoints, which v1 does not store, but which counts as a change. */
export function endpointSlices(): FuzzCase[] {
  const path = '/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices'
  const slice = (name: string, endpoint: TreeObject): TreeObject => ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.2.3'], ...endpoint }],
  })
  const topologies = [{ a: 'b' }, { 'kubernetes.io/hostname': 'node' }, {}, { '-': '-' }]
  const put = (deprecatedTopology: TreeObject): FuzzRequest => ({
    method: 'PUT',
    path: `${path}/topology?fieldManager=other`,
    body: slice('topology', { deprecatedTopology }),
  })
  const mapped = ['IPv4', 'IPv6'].flatMap((addressType) =>
    ['::ffff:1.2.3.4', '::ffff:0102:0304', '1.2.3.4', '::1.2.3.4'].map((address) =>
      create(path, { metadata: { name: 'mapped' }, addressType, endpoints: [{ addresses: [address] }] }),
    ),
  )
  return [
    found('discovery.k8s.io/v1 EndpointSlice', 'addresses of IPv4 in the form of IPv6', ...mapped),
    found(
      'v1 Service',
      'addresses of IPv4 in the form of IPv6',
      ...[['::ffff:10.0.0.9'], ['10.0.0.9', '::ffff:10.0.0.8'], ['::ffff:10.0.0.9', 'fd00::1']].map(
        (clusterIPs) =>
          create(`${NAMESPACED}/services`, {
            metadata: { name: 'mapped' },
            spec: { clusterIP: clusterIPs[0] ?? '', clusterIPs, ports: [{ port: 80 }] },
          }),
      ),
    ),
    found(
      'v1 Node',
      'networks of IPv4 in the form of IPv6',
      ...[['::ffff:10.0.0.0/120'], ['10.0.0.0/24', '::ffff:10.0.0.0/120'], ['x', '10.0.0.0/24']].map(
        (podCIDRs) =>
          create('/api/v1/nodes', {
            metadata: { name: 'mapped' },
            spec: { podCIDR: podCIDRs[0] ?? '', podCIDRs },
          }),
      ),
    ),
    found(
      'networking.k8s.io/v1 ServiceCIDR',
      'networks of IPv4 in the form of IPv6',
      ...[['::ffff:10.0.0.0/120'], ['10.0.0.0/24', '::ffff:10.0.0.0/120']].map((cidrs) =>
        create('/apis/networking.k8s.io/v1/servicecidrs', { metadata: { name: 'mapped' }, spec: { cidrs } }),
      ),
    ),
    found(
      'discovery.k8s.io/v1 EndpointSlice',
      'a topology',
      store(path, slice('topology', { deprecatedTopology: { a: 'b' } })),
      ...topologies.map(put),
      patch(`${path}/topology`, MERGE, {
        endpoints: [{ addresses: ['10.1.2.3'], deprecatedTopology: { a: 'b' } }],
      }),
      {
        method: 'PATCH',
        path: `${path}/applied-topology?fieldManager=f`,
        type: APPLY,
        body: slice('applied-topology', { deprecatedTopology: { a: 'b' } }),
      },
      {
        method: 'PATCH',
        path: `${path}/applied-topology?fieldManager=f`,
        type: APPLY,
        body: slice('applied-topology', { deprecatedTopology: { c: 'd' } }),
      },
    ),
  ]
}
