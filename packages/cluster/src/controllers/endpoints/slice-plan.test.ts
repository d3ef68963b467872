import type { CoreV1, EndpointSlice, Node, Pod, Service } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { endpointGroups } from './endpoint-groups.ts'
import { endpointSubsets } from './endpoint-subsets.ts'
import { planSlices, type SlicePlan } from './slice-plan.ts'

function service(ports: CoreV1.ServicePort[], spec: Partial<CoreV1.ServiceSpec> = {}): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default', uid: 's', labels: { team: 'x' } },
    spec: { ports, selector: { app: 'web' }, ...spec },
  } as unknown as Service
}
function pod(
  name: string,
  options: { port?: number; ready?: boolean; ip?: string; phase?: string; deleting?: boolean } = {},
): Pod {
  const {
    port = 3000,
    ready = true,
    ip = `10.244.0.${name.charCodeAt(0)}`,
    phase = 'Running',
    deleting,
  } = options
  return {
    metadata: { name, namespace: 'default', uid: name, ...(deleting ? { deletionTimestamp: 'now' } : {}) },
    spec: { nodeName: 'n', containers: [{ name: 'c', ports: [{ name: 'http', containerPort: port }] }] },
    status: { phase, podIP: ip, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  } as unknown as Pod
}
const nodes = new Map([
  ['n', { metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': 'z' } } } as unknown as Node],
])
function plan(of: Service, pods: Pod[], existing: EndpointSlice[] = []): SlicePlan {
  return planSlices(of, endpointGroups(of, pods, nodes), existing)
}
function stored(of: SlicePlan): EndpointSlice[] {
  return of.create.map(
    (slice, i) => ({ ...slice, metadata: { ...slice.metadata, name: `web-${i}` } }) as EndpointSlice,
  )
}
const http: CoreV1.ServicePort[] = [{ name: 'web', port: 80, targetPort: 'http', protocol: 'TCP' }]

describe('the slices of a Service', () => {
  it('hold its Pods with their conditions, and the number of a named port', () => {
    const pods = [pod('b', { ready: false }), pod('a'), pod('c', { deleting: true })]
    const { create } = plan(service(http), pods)
    expect(create).toHaveLength(1)
    expect(create[0]).toMatchObject({
      metadata: {
        generateName: 'web-',
        labels: {
          team: 'x',
          'kubernetes.io/service-name': 'web',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
        },
        ownerReferences: [{ kind: 'Service', uid: 's', controller: true }],
      },
      addressType: 'IPv4',
      ports: [{ name: 'web', port: 3000, protocol: 'TCP' }],
    })
    expect(create[0]?.endpoints?.map(({ targetRef, conditions }) => [targetRef?.name, conditions])).toEqual([
      ['a', { ready: true, serving: true, terminating: false }],
      ['b', { ready: false, serving: false, terminating: false }],
      ['c', { ready: false, serving: true, terminating: true }],
    ])
  })

  it('leave out Pods without an address, or that have run to their end', () => {
    const pods = [pod('a', { ip: '' }), pod('b', { phase: 'Succeeded' })]
    expect(plan(service(http), pods).create).toMatchObject([{ endpoints: [], ports: [] }])
  })

  it('are one for each number that a named port has', () => {
    const { create } = plan(service(http), [pod('a'), pod('b', { port: 4000 })])
    expect(create.map(({ ports, endpoints }) => [ports?.[0]?.port, endpoints?.length])).toEqual([
      [3000, 1],
      [4000, 1],
    ])
  })

  it('hold a hundred endpoints at most', () => {
    const pods = Array.from({ length: 250 }, (_, i) => pod(`p${i}`, { ip: `10.244.1.${i}` }))
    expect(plan(service(http), pods).create.map(({ endpoints }) => endpoints?.length)).toEqual([100, 100, 50])
  })

  it('stay as they are when nothing changed, and are used again when something did', () => {
    const before = stored(plan(service(http), [pod('a')]))
    expect(plan(service(http), [pod('a')], before)).toEqual({ create: [], update: [], remove: [] })
    const { create, update, remove } = plan(service(http), [pod('a'), pod('b')], before)
    expect([create.length, update.length, remove.length]).toEqual([0, 1, 0])
    expect(update[0]?.metadata.name).toBe('web-0')
    expect(plan(service(http), [], before)).toMatchObject({
      create: [],
      update: [{ metadata: { name: 'web-0' }, ports: [], endpoints: [] }],
      remove: [],
    })
  })

  it('show Pods as ready that are not, where the Service publishes such addresses', () => {
    const of = service(http, { publishNotReadyAddresses: true })
    expect(plan(of, [pod('a', { ready: false })]).create[0]?.endpoints?.[0]?.conditions?.ready).toBe(true)
  })
})

describe('slices and Pods that are special', () => {
  it('name a Pod by its hostname where its subdomain is the Service', () => {
    const named = { ...pod('a'), spec: { ...pod('a').spec, hostname: 'db-0', subdomain: 'web' } } as Pod
    const [slice] = plan(service(http), [named, pod('b')]).create
    expect(slice?.endpoints?.map(({ hostname, zone }) => [hostname, zone])).toEqual([
      ['db-0', 'z'],
      [undefined, 'z'],
    ])
  })

  it('leave out a Pod whose node is unknown, unless the Service publishes addresses that are not ready', () => {
    const lost = { ...pod('a'), spec: { ...pod('a').spec, nodeName: 'gone' } } as Pod
    expect(plan(service(http), [lost]).create[0]?.endpoints).toEqual([])
    const any = service(http, { publishNotReadyAddresses: true })
    expect(plan(any, [lost]).create[0]?.endpoints).toHaveLength(1)
  })

  it('are not taken over from a Service of the same name that is gone', () => {
    const before = stored(plan(service(http), [pod('a')]))
    const again = { ...service(http), metadata: { ...service(http).metadata, uid: 'other' } } as Service
    const { create, update, remove } = plan(again, [pod('a')], before)
    expect([create.length, update.length, remove.length]).toEqual([1, 0, 1])
  })

  it('do not copy labels that describe a slice', () => {
    const labelled = service(http, { clusterIP: 'None' })
    const metadata = { ...labelled.metadata, labels: { 'kubernetes.io/service-name': 'x', a: 'b' } }
    expect(plan({ ...labelled, metadata }, []).create[0]?.metadata.labels).toEqual({
      a: 'b',
      'kubernetes.io/service-name': 'web',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      'service.kubernetes.io/headless': '',
    })
  })
})

describe('Endpoints', () => {
  it('have one subset for ports that the same Pods serve', () => {
    const of = service([...http, { name: 'admin', port: 9000, targetPort: 9000, protocol: 'TCP' }])
    const other = pod('b', { port: 4000 })
    expect(endpointSubsets(of, [pod('a'), other])).toEqual([
      {
        addresses: [expect.objectContaining({ ip: '10.244.0.97' })],
        ports: [expect.objectContaining({ port: 3000 })],
      },
      {
        addresses: [
          expect.objectContaining({ ip: '10.244.0.97' }),
          expect.objectContaining({ ip: '10.244.0.98' }),
        ],
        ports: [{ name: 'admin', port: 9000, protocol: 'TCP' }],
      },
      {
        addresses: [expect.objectContaining({ ip: '10.244.0.98' })],
        ports: [expect.objectContaining({ port: 4000 })],
      },
    ])
  })

  it('leave out Pods that are being deleted, and list unready ones separately', () => {
    const of = service(http)
    expect(endpointSubsets(of, [pod('a'), pod('b', { ready: false }), pod('c', { deleting: true })])).toEqual(
      [
        {
          addresses: [expect.objectContaining({ ip: '10.244.0.97' })],
          notReadyAddresses: [expect.objectContaining({ ip: '10.244.0.98' })],
          ports: [{ name: 'web', port: 3000, protocol: 'TCP' }],
        },
      ],
    )
  })
})
