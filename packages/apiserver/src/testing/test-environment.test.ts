import { expect, test } from 'vitest'
import { TestEnvironment } from './test-environment.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

test('an environment begins at its clock’s time, with no writes on record', async () => {
  await using env = await TestEnvironment.start()
  expect(env.writes).toEqual([])
  const { body } = await env.call('GET', '/api/v1/namespaces/default')
  expect(body.metadata.creationTimestamp).toBe('2026-01-01T12:00:00Z')
})

test('writes are recorded with their sender and the status of their answer', async () => {
  await using env = await TestEnvironment.start()
  await env.call('GET', CONFIG_MAPS)
  await env.call('POST', `${CONFIG_MAPS}?fieldManager=me`, { body: { metadata: { name: 'a' } } })
  await env.call('DELETE', `${CONFIG_MAPS}/b`)
  expect(env.writes).toEqual([
    expect.objectContaining({ verb: 'create', resource: 'configmaps', fieldManager: 'me', code: 201 }),
    expect.objectContaining({
      verb: 'delete',
      resource: 'configmaps',
      name: 'b',
      userAgent: 'test/1.0',
      code: 404,
    }),
  ])
})

test('expectNoWrites passes when nothing was written, and else names each write', async () => {
  await using env = await TestEnvironment.start()
  await env.expectNoWrites()
  await env.expectNoWrites(() => env.call('GET', CONFIG_MAPS))
  const writing = env.expectNoWrites(async () => {
    await env.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } })
    await env.call('PATCH', `${CONFIG_MAPS}/a?fieldManager=me`, {
      body: {},
      headers: { 'content-type': 'application/merge-patch+json' },
    })
  })
  await expect(writing).rejects.toThrow(
    'expected no request that writes, but 2 came:\n' +
      '  create configmaps default by test/1.0 (201)\n' +
      '  patch configmaps default/a by me (200)',
  )
})

test('two environments of one seed see the same', async () => {
  const run = async (): Promise<unknown> => {
    await using env = await TestEnvironment.start()
    return (await env.call('POST', CONFIG_MAPS, { body: { metadata: { generateName: 'a-' } } })).body
  }
  expect(await run()).toEqual(await run())
})

test('an environment that was closed leaves no timer', async () => {
  const env = await TestEnvironment.start()
  await env.watch(`${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true`)
  await env.call('POST', '/api/v1/namespaces/default/events', {
    body: { metadata: { name: 'e' }, involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' } },
  })
  expect(env.clock.nextDue()).toBeDefined()
  await env.close()
  await env.settle()
  expect(env.clock.nextDue()).toBeUndefined()
})
