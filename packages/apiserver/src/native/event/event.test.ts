import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const CORE = '/api/v1/namespaces/default/events'
const EVENTS = '/apis/events.k8s.io/v1/namespaces/default/events'
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

const event = {
  metadata: { name: 'e' },
  regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
  eventTime: '2026-01-01T12:00:00.000000Z',
  reason: 'Started',
  action: 'Start',
  type: 'Normal',
  note: 'it runs',
  reportingController: 'example.com/c',
  reportingInstance: 'c-1',
}

test('an event of one group can be read in the other', async () => {
  const created = await env.call('POST', EVENTS, { body: event })
  expect(created.code).toBe(201)
  const { body } = await env.call('GET', `${CORE}/e`)
  expect(body).toMatchObject({
    apiVersion: 'v1',
    kind: 'Event',
    involvedObject: event.regarding,
    message: 'it runs',
    reportingComponent: 'example.com/c',
  })
  expect(body.note).toBeUndefined()
  const list = await env.call('GET', `${CORE}?fieldSelector=involvedObject.name%3Dp`)
  expect(list.body.items).toHaveLength(1)
  expect(list.body.items[0].involvedObject.name).toBe('p')
})

test('an event is removed an hour after its last write', async () => {
  await env.call('POST', EVENTS, { body: event })
  await env.advance('30m')
  await env.call('PATCH', `${EVENTS}/e`, {
    body: { series: { count: 2, lastObservedTime: '2026-01-01T12:30:00.000000Z' } },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
  await env.advance('59m')
  expect((await env.call('GET', `${EVENTS}/e`)).code).toBe(200)
  await env.advance('1m')
  expect((await env.call('GET', `${EVENTS}/e`)).code).toBe(404)
  expect(env.clock.nextDue()).toBeUndefined()
})

test.each([
  [86_400_000, 24, 404],
  [0, 1000, 200],
])('with a lifetime of %i ms an event is answered after %i h with %i', async (eventLifetime, hours, code) => {
  await using other = await TestEnvironment.start({ eventLifetime })
  await other.call('POST', EVENTS, { body: event })
  await other.advance('23h')
  expect((await other.call('GET', `${EVENTS}/e`)).code).toBe(200)
  await other.advance(`${hours}h`)
  expect((await other.call('GET', `${EVENTS}/e`)).code).toBe(code)
})
