import { expect, test } from 'vitest'
import { TestEnvironment } from './test-environment.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const ConfigMap = { group: '', version: 'v1', plural: 'configmaps' }
const configMap = (name: string, text: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { text },
})

test('a checkpoint brings back what was changed, deleted and created since, and watches see it', async () => {
  await using environment = await TestEnvironment.start()
  for (const name of ['changed', 'deleted', 'left-alone']) {
    await environment.call('POST', configMaps, { body: configMap(name, 'before') })
  }
  const read = (name: string) => environment.stored(ConfigMap, { namespace: 'default', name })
  const before = [await read('changed'), await read('deleted'), await read('left-alone')]
  const checkpoint = environment.checkpoint()
  expect(checkpoint.isCurrent).toBe(true)

  await environment.call('PUT', `${configMaps}/changed`, { body: configMap('changed', 'after') })
  await environment.call('PUT', `${configMaps}/changed`, { body: configMap('changed', 'later') })
  await environment.call('DELETE', `${configMaps}/deleted`)
  await environment.call('POST', configMaps, { body: configMap('created', 'after') })
  expect(checkpoint.isCurrent).toBe(false)
  const list = await environment.call('GET', configMaps)
  const watch = await environment.watch(
    `${configMaps}?watch=true&resourceVersion=${list.body.metadata.resourceVersion}`,
  )

  checkpoint.restore()
  await environment.settle()
  expect(checkpoint.isCurrent).toBe(true)
  expect(watch.takeNames()).toEqual(['DELETED created', 'MODIFIED changed', 'ADDED deleted'])
  await watch.close()
  expect(await read('created')).toBeUndefined()
  const withoutVersion = ({ metadata, ...rest }: any) => ({
    ...rest,
    metadata: { ...metadata, resourceVersion: undefined },
  })
  const after = [await read('changed'), await read('deleted'), await read('left-alone')]
  expect(after.map(withoutVersion)).toEqual(before.map(withoutVersion))
  expect(after[2]).toEqual(before[2])
})

test('a checkpoint can be restored again and again, and leaves Events alone', async () => {
  await using environment = await TestEnvironment.start()
  const checkpoint = environment.checkpoint()
  const involvedObject = { kind: 'ConfigMap', namespace: 'default', name: 'one' }
  const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'one' }, involvedObject }
  const events = '/api/v1/namespaces/default/events'
  expect((await environment.call('POST', events, { body: event })).code).toBe(201)
  expect(checkpoint.isCurrent).toBe(true)
  for (const text of ['a', 'b']) {
    const { code } = await environment.call('POST', configMaps, { body: configMap('one', text) })
    expect(code).toBe(201)
    checkpoint.restore()
  }
  expect(await environment.stored(ConfigMap, { namespace: 'default', name: 'one' })).toBeUndefined()
  expect((await environment.call('GET', `${events}/one`)).code).toBe(200)
})
