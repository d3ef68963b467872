import { controller, Manager, silentLogger } from 'homeostat'
import { ConfigMap, Event } from 'homeostat/kinds'
import { expect, test } from 'vitest'
import { startTestServer } from './test-server.ts'

test('a server takes the events of a controller, and repeated ones as a series', async () => {
  await using server = await startTestServer()
  const { clock, namespace, transport } = server
  const stop = new AbortController()
  const manager = new Manager({ transport, clock, logger: silentLogger }).add(
    controller('events-test')
      .for(ConfigMap, { predicate: ({ object }) => object.metadata.namespace === namespace })
      .reconcile(async (request, { client, events }) => {
        const map = await client.get(ConfigMap, request)
        if (request.name === 'noisy' && map) events.warning(map, 'Noisy', 'this map makes noise')
      }),
  )
  const running = manager.start({ signal: stop.signal })
  await manager.synced

  const key = { namespace, name: 'noisy' }
  const { metadata } = await server.client.create(ConfigMap, { metadata: key })
  const find = async () => {
    const events = await server.client.list(Event, { namespace })
    return events.find((event) => event.reportingController === 'events-test')
  }
  const first = await server.until('an event', find)
  expect(first).toMatchObject({
    type: 'Warning',
    reason: 'Noisy',
    action: 'Reconcile',
    note: 'this map makes noise',
    regarding: { apiVersion: 'v1', kind: 'ConfigMap', ...key, uid: metadata.uid },
  })

  await server.client.patch(ConfigMap, key, { type: 'merge', body: { data: { a: 'b' } } })
  const again = await server.until('a series', async () => {
    const event = await find()
    return event?.series && event
  })
  expect(again.metadata.name).toBe(first.metadata.name)
  expect(again.series?.count).toBe(2)
  stop.abort()
  await running
})
