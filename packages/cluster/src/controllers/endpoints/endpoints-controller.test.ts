import { Endpoints, EndpointSlice, Node, Pod, Service } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { endpointsController } from './endpoints-controller.ts'
import { endpointsMirror } from './endpoints-mirror.ts'

const namespace = 'default'
const web = { namespace, name: 'web' }
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start(() => [endpointsController(), endpointsMirror])
  await bench.client.create(Node, { metadata: { name: 'n' } })
})
afterEach(() => bench[Symbol.asyncDispose]())

const slices = async (): Promise<EndpointSlice[]> => {
  const labels = { 'kubernetes.io/service-name': 'web' }
  return [...(await bench.client.list(EndpointSlice, { namespace, labels }))]
}
async function pod(name: string, ready: boolean): Promise<void> {
  await bench.client.create(Pod, {
    metadata: { namespace, name, labels: { app: 'web' } },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'pause' }] },
  })
  const lastTransitionTime = '2026-01-01T12:00:00Z'
  await bench.setPod(
    { namespace, name },
    {
      phase: 'Running',
      podIP: '10.244.0.7',
      podIPs: [{ ip: '10.244.0.7' }],
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime }],
    },
  )
  await bench.settle()
}

describe('a Service', () => {
  it('has its Pods in a slice and in Endpoints, from the first Pod until none is left', async () => {
    await bench.client.create(Service, {
      metadata: web,
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    })
    await bench.settle()
    const [empty] = await slices()
    expect([empty?.endpoints ?? [], empty?.ports ?? []]).toEqual([[], []])
    await pod('a', true)
    const [slice, ...more] = await slices()
    expect(more).toEqual([])
    expect(slice).toMatchObject({
      metadata: { name: empty?.metadata.name },
      endpoints: [{ addresses: ['10.244.0.7'], conditions: { ready: true }, nodeName: 'n' }],
      ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    })
    expect((await bench.client.getOrThrow(Endpoints, web)).subsets).toMatchObject([
      { addresses: [{ ip: '10.244.0.7' }], ports: [{ port: 8080 }] },
    ])
    await bench.client.delete(Pod, { namespace, name: 'a' })
    await bench.settle()
    expect((await slices())[0]?.endpoints).toMatchObject([
      { conditions: { ready: false, serving: true, terminating: true } },
    ])
    expect((await bench.client.getOrThrow(Endpoints, web)).subsets ?? []).toEqual([])
    await bench.client.delete(Service, web)
    await bench.settle()
    expect(await bench.client.get(Endpoints, web)).toBeUndefined()
  })

  it('gets its Endpoints back when a client deletes them', async () => {
    const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] }
    await bench.client.create(Service, { metadata: web, spec })
    await pod('a', true)
    const before = await bench.client.getOrThrow(Endpoints, web)
    await bench.client.delete(Endpoints, web)
    await bench.settle()
    const after = await bench.client.getOrThrow(Endpoints, web)
    expect(after.metadata.uid).not.toBe(before.metadata.uid)
    expect(after.subsets).toEqual(before.subsets)
  })

  it('annotates its slices with the time of the change that caused the write', async () => {
    await bench.client.create(Service, {
      metadata: web,
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    })
    await bench.settle()
    const trigger = async (): Promise<string | undefined> =>
      (await slices())[0]?.metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time']
    expect(await trigger()).toBe('2026-01-01T12:00:00Z')
    await bench.advance('1m')
    await pod('a', true)
    expect(await trigger()).toBe('2026-01-01T12:00:00Z')
    await bench.client.delete(Pod, { namespace, name: 'a' })
    await bench.settle()
    expect(await trigger()).toBeUndefined()
  })

  it('without a selector has the Endpoints of a user copied to slices', async () => {
    await bench.client.create(Service, { metadata: web, spec: { ports: [{ port: 80 }] } })
    const ports = [{ name: 'http', port: 8080, protocol: 'TCP' as const }]
    const addresses = [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }]
    await bench.client.create(Endpoints, { metadata: web, subsets: [{ addresses, ports }] })
    await bench.settle()
    const [slice, ...more] = await slices()
    expect(more).toEqual([])
    expect(slice).toMatchObject({
      addressType: 'IPv4',
      metadata: {
        labels: { 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' },
        ownerReferences: [{ kind: 'Endpoints', name: 'web' }],
      },
      endpoints: [
        { addresses: ['192.0.2.1'], conditions: { ready: true } },
        { addresses: ['192.0.2.2'], conditions: { ready: true } },
      ],
      ports,
    })
    const patch = (body: object) => bench.client.patch(Endpoints, web, { type: 'merge', body })
    await patch({ subsets: [{ notReadyAddresses: [{ ip: '192.0.2.1' }], ports }] })
    await bench.settle()
    const [changed] = await slices()
    expect(changed?.metadata.name).toBe(slice?.metadata.name)
    expect(changed?.endpoints).toEqual([{ addresses: ['192.0.2.1'], conditions: { ready: false } }])
    await bench.environment.expectNoWrites()
    await patch({ metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } })
    await bench.settle()
    expect(await slices()).toEqual([])
  })
})
