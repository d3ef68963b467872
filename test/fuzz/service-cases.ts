import type { FuzzCase, FuzzRequest } from './fuzz-case.ts'
import type { Tree } from './json-tree.ts'

const SERVICES = '/api/v1/namespaces/{ns}/services'
const ports = [{ port: 80 }]
const selector = { a: 'b' }

type Spec = Record<string, Tree>

/** The families of a Service's addresses, on a cluster that has addresses of IPv4 alone, and node ports. */
export function serviceCases(): FuzzCase[] {
  return [
    updates('headless', 'without a selector', { clusterIP: 'None', ports }, [
      { selector, ports },
      { selector, ports, ipFamilies: ['IPv4', 'IPv6'] },
      { selector, ports, ipFamilyPolicy: 'SingleStack' },
      { selector, ports, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] },
      { selector, ports, ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv6', 'IPv4'] },
      { selector, ports, ipFamilyPolicy: 'PreferDualStack' },
      { selector, ports, ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'] },
      { ports },
      { ports, ipFamilies: ['IPv6'] },
      { ports, ipFamilyPolicy: 'SingleStack' },
      { ports, ipFamilyPolicy: 'PreferDualStack' },
      { type: 'ExternalName', externalName: 'x' },
    ]),
    updates(
      'second',
      'with the second family',
      { clusterIP: 'None', ports, ...single, ipFamilies: ['IPv6'] },
      [{ ports }, { ports, ipFamilyPolicy: 'PreferDualStack' }, { ports, selector }],
    ),
    updates('prefers', 'that prefers two families', { clusterIP: 'None', ports, ...prefer }, [
      { ports },
      { ports, selector },
      { ports, ipFamilies: ['IPv4'] },
      { ports, ...single },
    ]),
    ...byStatus(),
    ...nodePorts(),
    updates('other', 'without an address', { type: 'ExternalName', externalName: 'x' }, [
      { ports },
      { ports, clusterIP: 'None' },
    ]),
  ]
}

const single = { ipFamilyPolicy: 'SingleStack' }
const prefer = { ipFamilyPolicy: 'PreferDualStack' }

function updates(name: string, title: string, spec: Spec, changes: readonly Spec[]): FuzzCase {
  const put = (change: Spec): FuzzRequest => ({
    method: 'PUT',
    path: `${SERVICES}/${name}?dryRun=All`,
    body: { metadata: { name }, spec: change },
  })
  const requests = [
    { method: 'POST', path: SERVICES, body: { metadata: { name }, spec } } as const,
    ...changes.map(put),
  ]
  return { kind: 'v1 Service', verb: `updates of a Service ${title}`, requests }
}

/** Node ports, which a dry run numbers: of one port with two protocols, taken ones, and beyond all ports. */
function nodePorts(): FuzzCase[] {
  const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }
  const two = (...numbers: readonly (number | undefined)[]): Spec[] => [
    { name: 'a', port: 80, ...(numbers[0] && { nodePort: numbers[0] }) },
    { name: 'b', port: 80, protocol: 'UDP', ...(numbers[1] && { nodePort: numbers[1] }) },
  ]
  const three = (last: number): Spec[] => [
    { name: 'a', port: 80, nodePort: 5 },
    { name: 'b', port: 81 },
    { name: 'c', port: 82, nodePort: last },
  ]
  const changes: readonly Spec[] = [
    { type: 'NodePort', ports: two() },
    { type: 'NodePort', ports: two(5) },
    { type: 'NodePort', ports: two(undefined, 5) },
    { type: 'NodePort', ports: two(-5) },
    { type: 'NodePort', ports: two(undefined, -5) },
    { type: 'NodePort', ports: two(5, 5) },
    { type: 'NodePort', ports: two(5, 6) },
    { type: 'NodePort', ports: two(31_111, 31_112) },
    { ...local, ports: three(6) },
    { ...local, ports: three(7) },
    { ...local, ports: three(7), allocateLoadBalancerNodePorts: false },
    { ...local, ports: [{ port: 80, nodePort: 31_112 }] },
    { ...local, ports: [{ port: 80, nodePort: 65_535 }] },
  ]
  return [
    updates(
      'with-ports',
      'with ports',
      { ...local, ports: two(31_111), healthCheckNodePort: 31_112 },
      changes,
    ),
    updates('without-ports', 'without ports', { ports }, changes),
    {
      kind: 'v1 Service',
      verb: 'new ones with ports',
      requests: changes.map((spec): FuzzRequest => ({
        method: 'POST',
        path: `${SERVICES}?dryRun=All`,
        body: { metadata: { name: 'new' }, spec },
      })),
    },
  ]
}

/** Services that a write of their status makes. They get no address and no port. */
function byStatus(): FuzzCase[] {
  const specs: readonly Spec[] = [
    { ports, selector },
    { ports, clusterIP: 'None' },
    { ports, type: 'NodePort' },
    { ports: [{ port: 80, nodePort: 30_123 }], type: 'NodePort', clusterIP: '10.96.0.200' },
    { ports: [{ port: 80, appProtocol: 'a b' }], ipFamilyPolicy: 'RequireDualStack' },
    { ports, type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
    {},
  ]
  return specs.map((spec, index) => ({
    kind: 'v1 Service',
    verb: `a write of the status makes it, ${index}`,
    requests: [
      {
        method: 'PUT',
        path: `${SERVICES}/by-status-${index}/status`,
        body: { metadata: { name: `by-status-${index}` }, spec },
      },
    ],
  }))
}
