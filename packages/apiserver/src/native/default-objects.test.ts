import { SimulatedClock } from '@homeostat/api'
import { expect, test } from 'vitest'
import { ApiServer } from '../server.ts'
import { nativeResources } from '../schema/generated/native-resources.ts'
import { RevisionStore } from '../storage/index.ts'
import { TestEnvironment } from '../testing/index.ts'
import { callJson } from '../testing/json-caller.ts'
import { nativeKind } from './kinds.ts'

const SERVICES = '/api/v1/namespaces/default/services'
const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses'
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'

async function namesIn(env: TestEnvironment, path: string): Promise<string[]> {
  const { body } = await env.call('GET', path)
  return body.items.map(({ metadata }: any) => metadata.name)
}

test.for([
  ['/api/v1/namespaces', ['default', 'kube-node-lease', 'kube-public', 'kube-system']],
  ['/api/v1/services', ['kubernetes']],
  ['/apis/networking.k8s.io/v1/servicecidrs', ['kubernetes']],
  ['/apis/networking.k8s.io/v1/ipaddresses', ['10.96.0.1']],
  ['/apis/scheduling.k8s.io/v1/priorityclasses', ['system-cluster-critical', 'system-node-critical']],
] as const)('a new cluster has the default object %s', async ([path, names]) => {
  await using env = await TestEnvironment.start()
  expect(await namesIn(env, path)).toEqual(names)
})

test('an object that the server makes has a generation where its kind counts them', async () => {
  await using env = await TestEnvironment.start()
  const stored = nativeResources.filter(({ storageVersionHash }) => storageVersionHash !== undefined)
  const made = []
  for (const { group, version, kind, plural } of stored) {
    const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/${plural}`
    const { body } = await env.call('GET', path)
    const { generation = false } = nativeKind(group, kind) ?? {}
    const first = generation === true || generation === 'first' ? 1 : undefined
    for (const { metadata } of body.items) made.push([`${kind} ${metadata.name}`, metadata.generation, first])
  }
  expect(made.map(([name, generation]) => [name, generation])).toEqual(
    made.map(([name, , first]) => [name, first]),
  )
  expect(new Set(made.map(([, generation]) => generation))).toEqual(new Set([1, undefined]))
})

test('every group and version has an APIService, except apiregistration.k8s.io', async () => {
  await using env = await TestEnvironment.start()
  const { body } = await env.call('GET', '/apis')
  const served: string[] = body.groups.flatMap(({ name, versions }: any) =>
    versions.map(({ version }: any) => `${version}.${name}`),
  )
  expect(await namesIn(env, API_SERVICES)).toEqual(
    ['v1.', ...served].filter((name) => name !== 'v1.apiregistration.k8s.io').sort(),
  )
})

test('each version of a definition has an APIService, which is deleted with the definition', async () => {
  await using env = await TestEnvironment.start()
  const before = await namesIn(env, API_SERVICES)
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    schema: { openAPIV3Schema: { type: 'object' } },
  })
  const spec = {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [version('v1', true), version('v2', false)],
  }
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  await env.call('POST', path, { body: { metadata: { name: 'widgets.example.com' }, spec } })
  const { code, body } = await env.call('GET', `${API_SERVICES}/v2.example.com`)
  expect(code).toBe(200)
  expect(body.metadata.labels).toEqual({ 'kube-aggregator.kubernetes.io/automanaged': 'true' })
  expect(body.status.conditions[0]).toMatchObject({ type: 'Available', status: 'True', reason: 'Local' })
  await env.call('DELETE', `${path}/widgets.example.com`)
  await env.settle()
  expect(await namesIn(env, API_SERVICES)).toEqual(before)
})

test('an IPAddress exists as long as a Service has the address', async () => {
  await using env = await TestEnvironment.start()
  const body = { metadata: { name: 'a' }, spec: { clusterIP: '10.96.7.7', ports: [{ port: 80 }] } }
  await env.call('POST', SERVICES, { body })
  const address = await env.call('GET', `${ADDRESSES}/10.96.7.7`)
  expect(address.body.spec.parentRef).toEqual({ resource: 'services', namespace: 'default', name: 'a' })
  await env.call('POST', SERVICES, {
    body: { metadata: { name: 'b' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } },
  })
  expect(await namesIn(env, ADDRESSES)).toEqual(['10.96.0.1', '10.96.7.7'])
  await env.call('DELETE', `${SERVICES}/a`)
  expect(await namesIn(env, ADDRESSES)).toEqual(['10.96.0.1'])
})

test('the endpoints of the Service kubernetes name the open port, also after a restart on the same data', async () => {
  const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes'
  const slice = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'
  const store = new RevisionStore()
  const published = async (server: ApiServer): Promise<unknown[]> => {
    const get = async (path: string) => (await callJson(server.handler, 'GET', path)).body
    const { subsets } = await get(endpoints)
    const { endpoints: of, ports, addressType } = await get(slice)
    return [subsets ?? [], of ?? [], ports ?? [], addressType]
  }
  const at = (address: string, port: number) => {
    const ports = [{ name: 'https', port, protocol: 'TCP' }]
    const ready = [{ addresses: [address], conditions: { ready: true } }]
    return [[{ addresses: [{ ip: address }], ports }], ready, ports, 'IPv4']
  }
  const nowhere = [[], [], [], 'IPv4']
  const first = await ApiServer.start({ store })
  // A real server without an advertised address has no such endpoints either.
  expect(await published(first)).toEqual([[], [], [], undefined])
  const port = await first.listen()
  expect(await published(first)).toEqual(at('127.0.0.1', port.port))
  const second = await first.listen()
  expect(await published(first)).toEqual(at('127.0.0.1', port.port))
  await port.close()
  expect(await published(first)).toEqual(at('127.0.0.1', second.port))
  // The first server is still running, as if its process had been killed: it has not removed its endpoints.
  await using next = await ApiServer.start({ store, advertiseAddress: '192.0.2.1' })
  expect(await published(next)).toEqual(nowhere)
  const moved = await next.listen()
  expect(await published(next)).toEqual(at('192.0.2.1', moved.port))
  await first.close()
})

test('objects that are already in the store do not change', async () => {
  const clock = new SimulatedClock()
  const store = new RevisionStore()
  const first = await TestEnvironment.start({ clock, store })
  await first.call('PATCH', '/api/v1/namespaces/default', {
    body: { metadata: { labels: { mine: 'yes' } } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  const { revision } = store
  await first.close()
  await using second = await TestEnvironment.start({ clock, store })
  expect(store.revision).toBe(revision)
  const { body } = await second.call('GET', '/api/v1/namespaces/default')
  expect(body.metadata.labels['mine']).toBe('yes')
})
