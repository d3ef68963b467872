import type { ApiHandler } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RevisionStore } from '../../storage/index.ts'
import { TestEnvironment } from '../../testing/index.ts'
import { watchJson } from '../../testing/json-caller.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

async function put(name: string, labels: Record<string, string> = {}, data = {}): Promise<string> {
  const body = { metadata: { name, labels }, data }
  const created = await env.call('POST', CONFIG_MAPS, { body })
  if (created.code === 201) return created.body.metadata.resourceVersion
  const updated = await env.call('PUT', `${CONFIG_MAPS}/${name}`, { body })
  return updated.body.metadata.resourceVersion
}

test('a watch without a version reports the existing objects, then changes', async () => {
  await put('a')
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true`)
  await env.settle()
  expect(watch.takeNames()).toEqual(['ADDED a'])
  await put('b')
  await put('a', {}, { x: 'y' })
  await env.call('DELETE', `${CONFIG_MAPS}/b`)
  await env.settle()
  expect(watch.takeNames()).toEqual(['ADDED b', 'MODIFIED a', 'DELETED b'])
  await watch.close()
})

test('a watch from a version reports exactly the later changes', async () => {
  const version = await put('a')
  await put('b')
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`)
  await env.settle()
  expect(watch.takeNames()).toEqual(['ADDED b'])
  await watch.close()
})

test('the deletion of an object carries the version of the deletion', async () => {
  await put('a')
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=0`)
  await env.call('DELETE', `${CONFIG_MAPS}/a`)
  const after = await env.call('GET', CONFIG_MAPS)
  await env.settle()
  expect(watch.events.at(-1)?.object.metadata.resourceVersion).toBe(after.body.metadata.resourceVersion)
  await watch.close()
})

test('an object that begins to match the selector is added, one that no longer matches is deleted', async () => {
  await put('a', { app: 'web' })
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true&labelSelector=app%3Dweb`)
  await put('b', { app: 'other' })
  await put('b', { app: 'web' })
  const left = await put('b', { app: 'other' })
  await env.settle()
  expect(watch.takeNames()).toEqual(['ADDED a', 'ADDED b', 'DELETED b'])
  const last = watch.events.at(-1)?.object
  expect(last.metadata.labels).toEqual({ app: 'web' })
  expect(last.metadata.resourceVersion).toBe(left)
  await watch.close()
})

test('a watch-list ends its initial events with an annotated bookmark', async () => {
  await put('a')
  const watch = await env.watch(
    `${CONFIG_MAPS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  )
  await env.settle()
  expect(watch.events.map((event) => event.type)).toEqual(['ADDED', 'BOOKMARK'])
  const { kind, metadata } = watch.events[1]!.object
  expect(kind).toBe('ConfigMap')
  expect(metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
  const list = await env.call('GET', CONFIG_MAPS)
  expect(metadata.resourceVersion).toBe(list.body.metadata.resourceVersion)
  await watch.close()
})

test('watches that allow bookmarks get one each minute, also when only other kinds changed', async () => {
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true&resourceVersion=0`)
  const other = await env.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=0`)
  await env.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'n' } } })
  await env.advance('3m')
  const { metadata } = (await env.call('GET', CONFIG_MAPS)).body
  expect(watch.events.map((event) => event.type)).toEqual(['BOOKMARK', 'BOOKMARK', 'BOOKMARK'])
  expect(watch.events[0]?.object.metadata.resourceVersion).toBe(metadata.resourceVersion)
  expect(other.events).toEqual([])
  await watch.close()
  await other.close()
  expect(env.clock.nextDue()).toBeUndefined()
})

test('a reader in the process gets bookmarks only with a new version', async () => {
  const handler: ApiHandler = (request) => env.handler({ ...request, inProcess: true })
  const query = 'watch=true&allowWatchBookmarks=true&resourceVersion=0&timeoutSeconds=200000'
  const watch = await watchJson(handler, `${CONFIG_MAPS}?${query}`)
  await env.advance('1h')
  const before = watch.events.length
  await env.advance('24h')
  expect(watch.events).toHaveLength(before)
  await env.call('POST', '/api/v1/namespaces', { body: { metadata: { name: 'news' } } })
  await env.advance('1h')
  const { metadata } = (await env.call('GET', CONFIG_MAPS)).body
  expect(watch.events).toHaveLength(before + 1)
  expect(watch.events.at(-1)).toMatchObject({
    type: 'BOOKMARK',
    object: { metadata: { resourceVersion: metadata.resourceVersion } },
  })
  await watch.close()
})

test('a watch ends after its timeout, and without one after half an hour to an hour', async () => {
  const short = await env.watch(`${CONFIG_MAPS}?watch=true&timeoutSeconds=10`)
  const long = await env.watch(`${CONFIG_MAPS}?watch=true`)
  await env.advance(9_999)
  expect(short.ended).toBe(false)
  await env.advance(1)
  expect(short.ended).toBe(true)
  await env.advance('29m')
  expect(long.ended).toBe(false)
  await env.advance('31m')
  expect(long.ended).toBe(true)
})

test('a version that is too old causes an ERROR event with the reason Expired', async () => {
  const version = await put('a')
  await put('b')
  env.server.registry.store.compact(env.server.registry.store.revision)
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version}`)
  await env.settle()
  expect(watch.events).toHaveLength(1)
  expect(watch.events[0]).toMatchObject({ type: 'ERROR', object: { reason: 'Expired', code: 410 } })
  expect(watch.events[0]?.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/)
  expect(watch.ended).toBe(true)
})

test('a watch waits for a version in the future', async () => {
  const version = Number(await put('a'))
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true&resourceVersion=${version + 1}`)
  await put('b')
  await put('c')
  await env.settle()
  expect(watch.takeNames()).toEqual(['ADDED c'])
  await watch.close()
})

test('a watch-list from the future fails as soon as it begins', async () => {
  const path = `${CONFIG_MAPS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=999`
  const watch = await env.watch(path)
  await env.settle()
  expect(watch.ended).toBe(true)
  expect(watch.take()).toEqual([
    {
      type: 'ERROR',
      object: expect.objectContaining({
        code: 504,
        details: {
          causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
          retryAfterSeconds: 1,
        },
      }),
    },
  ])
})

test('options that contradict each other are refused with the field', async () => {
  const answer = await env.call('GET', `${CONFIG_MAPS}?watch=true&sendInitialEvents=true`)
  expect(answer.code).toBe(422)
  expect(answer.body.message).toBe(
    'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
  )
})

test('in a watch of tables, only the first event describes the columns', async () => {
  await put('a')
  await put('b')
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true`, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  })
  await env.settle()
  const [first, second] = watch.events
  expect(first?.object.columnDefinitions.map((column: { name: string }) => column.name)).toEqual([
    'Name',
    'Data',
    'Age',
  ])
  expect(second?.object.columnDefinitions ?? []).toEqual([])
  expect(second?.object.rows[0].cells[0]).toBe('b')
  await watch.close()
})

test('a watch of one object does not report others', async () => {
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Da`)
  await put('a')
  await put('b')
  await env.settle()
  expect(watch.takeNames()).toEqual(['ADDED a'])
  await watch.close()
})

test('aborting the request ends the watch and leaves nothing behind', async () => {
  const controller = new AbortController()
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true`, {
    signal: controller.signal,
  })
  await env.settle()
  controller.abort()
  await env.settle()
  expect(watch.ended).toBe(true)
  expect(env.clock.nextDue()).toBeUndefined()
  expect(env.server.registry.watches.size).toBe(0)
})

test('closing the server ends its watches after all events so far', async () => {
  const watch = await env.watch(`${CONFIG_MAPS}?watch=true`)
  await put('a')
  await env.close()
  await env.settle()
  expect(watch.takeNames()).toEqual(['ADDED a'])
  expect(watch.ended).toBe(true)
})

test('a reader that falls too far behind gets an error, and the server keeps nothing for it', async () => {
  await env.close()
  env = await TestEnvironment.start({ store: new RevisionStore({ history: 10 }) })
  const response = await env.handler({
    method: 'GET',
    path: CONFIG_MAPS,
    query: new URLSearchParams('watch=true'),
    headers: {},
  })
  for (let step = 0; step < 30; step++) await put('a', {}, { step: String(step) })
  const lines: string[] = []
  for await (const chunk of response.body as AsyncIterable<Uint8Array>)
    lines.push(new TextDecoder().decode(chunk))
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({ type: 'ERROR', object: { reason: 'Expired', code: 410 } })
})

test('a reader that does not read holds up no other reader and no writer', async () => {
  await env.close()
  env = await TestEnvironment.start({ store: new RevisionStore({ history: 10 }) })
  const unread = await env.handler({
    method: 'GET',
    path: CONFIG_MAPS,
    query: new URLSearchParams('watch=true'),
    headers: {},
  })
  const reading = [await env.watch(`${CONFIG_MAPS}?watch=true`), await env.watch(`${CONFIG_MAPS}?watch=true`)]
  const expected: string[] = []
  for (let step = 0; step < 30; step++) {
    await put('a', {}, { step: String(step) })
    await env.settle()
    expected.push(step === 0 ? 'ADDED a' : 'MODIFIED a')
  }
  for (const watch of reading) expect(watch.takeNames()).toEqual(expected)
  const running = async () => {
    const response = await env.handler({
      method: 'GET',
      path: '/metrics',
      query: new URLSearchParams(),
      headers: {},
    })
    const text = new TextDecoder().decode(response.body as Uint8Array)
    return /^apiserver_longrunning_requests\{.*resource="configmaps".* (\d+)$/m.exec(text)?.[1]
  }
  expect(await running()).toBe('3')
  const told: string[] = []
  for await (const chunk of unread.body as AsyncIterable<Uint8Array>) {
    told.push(JSON.parse(new TextDecoder().decode(chunk)).type)
  }
  expect(told).toEqual(['ERROR'])
  expect(await running()).toBe('2')
  await put('b')
  await env.settle()
  for (const watch of reading) expect(watch.takeNames()).toEqual(['ADDED b'])
  for (const watch of reading) await watch.close()
})
