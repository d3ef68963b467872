import { SimulatedClock } from '@homeostat/api'
import { expect, test } from 'vitest'
import { ApiServer } from './server.ts'
import { RevisionStore } from './storage/index.ts'
import { callJson, watchJson } from './testing/index.ts'

test('a server answers as soon as it has started', async () => {
  await using server = await ApiServer.start()
  const { body } = await callJson(server.handler, 'GET', '/api/v1/namespaces/default')
  expect(body.status).toEqual({ phase: 'Active' })
})

test('servers share nothing', async () => {
  await using one = await ApiServer.start()
  await using two = await ApiServer.start()
  await callJson(one.handler, 'POST', '/api/v1/namespaces', { body: { metadata: { name: 'n' } } })
  expect((await callJson(two.handler, 'GET', '/api/v1/namespaces/n')).code).toBe(404)
})

test('a server has the objects of its store', async () => {
  const store = new RevisionStore()
  const first = await ApiServer.start({ store })
  const created = await callJson(first.handler, 'POST', '/api/v1/namespaces/default/configmaps', {
    body: { metadata: { name: 'a' } },
  })
  await first.close()
  await using second = await ApiServer.start({ store })
  const { body } = await callJson(second.handler, 'GET', '/api/v1/namespaces/default/configmaps/a')
  expect(body).toEqual(created.body)
})

test('a closed server answers 503, and starts no watch', async () => {
  const clock = new SimulatedClock()
  const server = await ApiServer.start({ clock })
  const watch = await watchJson(server.handler, '/api/v1/pods?watch=true&allowWatchBookmarks=true')
  await server.close()
  await clock.settle()
  expect(watch.ended).toBe(true)
  const late = await callJson(server.handler, 'GET', '/api/v1/pods?watch=true')
  expect(late).toMatchObject({ code: 503, body: { reason: 'ServiceUnavailable' } })
  expect(clock.nextDue()).toBeUndefined()
})

test('a server can be closed twice', async () => {
  const server = await ApiServer.start()
  await server.listen()
  await expect(Promise.all([server.close(), server.close()])).resolves.toBeDefined()
})
