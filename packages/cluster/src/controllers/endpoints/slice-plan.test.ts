import type { CoreV1, EndpointSlice, Pod, Service } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { endpointGroups, endpointSubsets } from './endpoint-groups.ts'
import { planSlices, type SlicePlan } from './slice-plan.ts'

function service(ports: CoreV1.ServicePort[], spec: Partial<CoreV1.ServiceSpec> = {}): Service {
  return {
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
function plan(of: Service, pods: Pod[], existing: EndpointSlice[] = []): SlicePlan {
  return planSlices(of, endpointGroups(of, pods), existing)
}
function stored(of: SlicePlan): EndpointSlice[] {
  return of.create.map(
    (slice, i) => ({ ...slice, metadata: { ...slice.metadata, name: `web-${i}` } }) as EndpointSlice,
  )
}
const http: CoreV1.ServicePort[] = [{ name: 'web', port: 80, targetPort: 'http', protocol: 'TCP' }]

describe('the slices of a Service', () => {
  it('hold its Pods with their standing, and the number of a named port', () => {
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
    expect(plan(service(http), [], before)).toMatchObject({ remove: [{ metadata: { name: 'web-0' } }] })
  })

  it('show Pods as ready that are not, where the Service says so', () => {
    const of = service(http, { publishNotReadyAddresses: true })
    expect(plan(of, [pod('a', { ready: false })]).create[0]?.endpoints?.[0]?.conditions?.ready).toBe(true)
  })
})

describe('Endpoints', () => {
  it('hold the same, as subsets', () => {
    const of = service(http)
    expect(endpointSubsets(of, endpointGroups(of, [pod('a'), pod('b', { ready: false })]))).toEqual([
      {
        addresses: [expect.objectContaining({ ip: '10.244.0.97' })],
        notReadyAddresses: [expect.objectContaining({ ip: '10.244.0.98' })],
        ports: [{ name: 'web', port: 3000, protocol: 'TCP' }],
      },
    ])
  })
})
