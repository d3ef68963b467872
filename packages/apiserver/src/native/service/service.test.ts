import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const SERVICES = '/api/v1/namespaces/default/services'
const MERGE = { 'content-type': 'application/merge-patch+json' }
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

const service = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
})

test('a Service gets a unique address', async () => {
  const addresses = new Set<string>()
  for (let index = 0; index < 50; index++) {
    const { body } = await env.call('POST', SERVICES, { body: service(`s${index}`) })
    expect(body.spec.clusterIP).toMatch(/^10\.96\.\d+\.\d+$/)
    expect(body.spec).toMatchObject({
      clusterIPs: [body.spec.clusterIP],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    })
    addresses.add(body.spec.clusterIP)
  }
  expect(addresses.size).toBe(50)
})

test('an address that is taken is refused', async () => {
  await env.call('POST', SERVICES, { body: service('a', { clusterIP: '10.96.7.7' }) })
  const { code, body } = await env.call('POST', SERVICES, { body: service('b', { clusterIP: '10.96.7.7' }) })
  expect(code).toBe(422)
  expect(body.message).toContain('provided IP is already allocated')
})

test('an update that leaves out the address keeps it', async () => {
  const created = await env.call('POST', SERVICES, { body: service('a') })
  const updated = await env.call('PUT', `${SERVICES}/a`, { body: service('a', { ports: [{ port: 81 }] }) })
  expect(updated.body.spec.clusterIP).toBe(created.body.spec.clusterIP)
})

test('a headless Service has no address', async () => {
  const { body } = await env.call('POST', SERVICES, { body: service('a', { clusterIP: 'None' }) })
  expect(body.spec.clusterIPs).toEqual(['None'])
})

test('a NodePort Service gets a node port, and loses it with its type', async () => {
  const { body } = await env.call('POST', SERVICES, { body: service('a', { type: 'NodePort' }) })
  const [{ nodePort }] = body.spec.ports
  expect(nodePort).toBeGreaterThanOrEqual(30_000)
  expect(nodePort).toBeLessThan(32_768)
  const changed = await env.call('PATCH', `${SERVICES}/a`, {
    body: { spec: { type: 'ClusterIP' } },
    headers: MERGE,
  })
  expect(changed.body.spec.ports[0].nodePort).toBeUndefined()
})

test('one port with two protocols gets one node port in a new Service, and two in an update', async () => {
  const ports = [
    { name: 'a', port: 80 },
    { name: 'b', port: 80, protocol: 'UDP' },
  ]
  const created = await env.call('POST', SERVICES, { body: service('a', { type: 'NodePort', ports }) })
  const [a, b] = created.body.spec.ports
  expect(a.nodePort).toBe(b.nodePort)
  await env.call('POST', SERVICES, { body: service('b', { ports }) })
  const updated = await env.call('PUT', `${SERVICES}/b`, { body: service('b', { type: 'NodePort', ports }) })
  const [c, d] = updated.body.spec.ports
  expect(new Set([a.nodePort, c.nodePort, d.nodePort]).size).toBe(3)
})
