import { request } from 'node:https'
import { SimulatedClock } from '@homeostat/api'
import { expect, test } from 'vitest'
import type { ApiPort } from './port/port.ts'
import { ApiServer } from './server.ts'
import { callJson, TestEnvironment, watchJson } from './testing/index.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

/** Sends a request over the network, and leaves the watch that it opens to the server’s end. */
function open(port: ApiPort, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const options = {
    ca: port.certificateAuthority,
    headers: { authorization: `Bearer ${port.token}` },
    agent: false,
  }
  request(`${port.url}${path}`, options, (answer) => {
    answer.on('error', () => {}).resume()
    resolve()
  })
    .on('error', reject)
    .end()
  return promise
}

/** The resources that keep the process alive, by kind. The test runner has timers of its own, which come and go. */
function resources(): Map<string, number> {
  const kinds = process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout' && kind !== 'Immediate')
  return new Map([...new Set(kinds)].map((kind) => [kind, kinds.filter((other) => other === kind).length]))
}

test(
  'servers that start and stop one after the other leave nothing behind',
  { timeout: 60_000 },
  async () => {
    const round = async (): Promise<void> => {
      const clock = new SimulatedClock()
      const server = await ApiServer.start({ clock })
      const port = await server.listen()
      await open(port, '/api/v1/pods?watch=true')
      await watchJson(server.handler, '/api/v1/pods?watch=true&allowWatchBookmarks=true')
      await callJson(server.handler, 'POST', '/api/v1/namespaces/default/serviceaccounts', {
        body: { metadata: { name: 'robot' } },
      })
      const path = '/api/v1/namespaces/default/serviceaccounts/robot/token'
      expect((await callJson(server.handler, 'POST', path, { body: {} })).code).toBe(201)
      await server.close()
      await clock.settle()
      expect(clock.nextDue()).toBeUndefined()
    }
    await round()
    const before = resources()
    for (let count = 0; count < 10; count++) await round()
    for (const [kind, count] of resources()) {
      expect(count, `handles of kind ${kind}`).toBeLessThanOrEqual(before.get(kind) ?? 0)
    }
  },
)

test('a token for the rest of a list ends by the server’s clock', async () => {
  await using env = await TestEnvironment.start()
  for (const name of ['a', 'b']) await env.call('POST', MAPS, { body: { metadata: { name } } })
  const { body } = await env.call('GET', `${MAPS}?limit=1`)
  const rest = `${MAPS}?limit=1&continue=${encodeURIComponent(body.metadata.continue)}`
  await env.call('POST', MAPS, { body: { metadata: { name: 'c' } } })
  expect((await env.call('GET', rest)).body.items.map((item: any) => item.metadata.name)).toEqual(['b'])
  await env.advance('2m')
  await env.call('POST', MAPS, { body: { metadata: { name: 'd' } } })
  await env.advance('11m')
  expect((await env.call('GET', rest)).body).toMatchObject({ code: 410, reason: 'Expired' })
})
