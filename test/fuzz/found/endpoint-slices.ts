import type { FuzzCase, FuzzRequest } from '../fuzz-case.ts'
import type { TreeObject } from '../json-tree.ts'
import { APPLY, found, MERGE, patch, store } from './found-case.ts'

/** The deprecated topology of endpoints, which v1 does not store, but which counts as a change. */
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
  return [
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
