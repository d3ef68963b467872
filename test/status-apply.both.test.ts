import { defineKind, schema as s } from '@homeostat/api'
import { createClient } from 'homeostat'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

const Gauge = defineKind({
  group: 'status.homeostat.test',
  version: 'v1',
  kind: 'Gauge',
  spec: s.object({ size: s.integer().default(1) }),
  status: s.object({ size: s.integer().optional(), ready: s.boolean().optional() }),
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [Gauge] })
})
afterAll(() => server.close())

describe('a status that is applied empty', () => {
  test('takes back what was applied before, and then sends nothing', async () => {
    const { client, namespace } = server
    const key = { namespace, name: 'emptied' }
    await client.create(Gauge, { metadata: key, spec: {} })
    expect((await client.status.apply(Gauge, key, { size: 1, ready: true })).status).toEqual({
      size: 1,
      ready: true,
    })
    expect((await client.status.apply(Gauge, key, { ready: undefined })).status).toBeUndefined()
    const { length } = server.writes
    await client.status.apply(Gauge, key, {})
    expect(server.writes).toHaveLength(length)
  })

  test('leaves what others applied', async () => {
    const { client, transport, clock, namespace } = server
    const key = { namespace, name: 'shared' }
    await client.create(Gauge, { metadata: key, spec: {} })
    const other = createClient({ transport, clock, fieldManager: 'other' })
    await other.status.apply(Gauge, key, { ready: true })
    await client.status.apply(Gauge, key, { size: 1 })
    expect((await client.status.apply(Gauge, key, {})).status).toEqual({ ready: true })
  })

  test('is what a server refuses where it is sent as such', async () => {
    const { transport, clock, namespace } = server
    const key = { namespace, name: 'refused' }
    const client = createClient({ transport, clock, fieldManager: 'm' })
    await client.create(Gauge, { metadata: key, spec: {} })
    await client.status.apply(Gauge, key, { size: 1 })
    const document = { apiVersion: 'status.homeostat.test/v1', kind: 'Gauge', metadata: key, status: {} }
    const path = `/apis/status.homeostat.test/v1/namespaces/${namespace}/gauges/refused/status`
    const answer = await server.call('PATCH', `${path}?fieldManager=m`, {
      body: document,
      contentType: 'application/apply-patch+yaml',
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('status: Invalid value: "null"') as string },
    })
  })
})
