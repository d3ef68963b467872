import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RevisionStore } from '../storage/index.ts'
import { TestEnvironment } from '../testing/index.ts'

const pods = '/api/v1/namespaces/default/pods'
let env: TestEnvironment

/** No parsed object is cached, as with a very large number of objects. */
beforeEach(async () => {
  const clock = new SimulatedClock()
  env = await TestEnvironment.start({ clock, store: new RevisionStore({ clock, parsedBytes: 0 }) })
  for (const [name, app] of [
    ['a', 'web'],
    ['b', 'web'],
    ['c', 'db'],
  ] as const) {
    const spec = { nodeName: `node-${name}`, containers: [{ name: 'main', image: 'example.com/main' }] }
    await env.call('POST', pods, { body: { metadata: { name, labels: { app } }, spec } })
  }
})
afterEach(() => env.close())

const names = ({ items }: { items: { metadata: { name: string } }[] }): string[] =>
  items.map(({ metadata }) => metadata.name)

test.each([
  ['labelSelector=app%3Dweb', ['a', 'b']],
  ['labelSelector=!app', []],
  ['fieldSelector=metadata.name%3Db', ['b']],
  ['fieldSelector=metadata.name!%3Db,metadata.namespace%3Ddefault', ['a', 'c']],
  ['fieldSelector=spec.nodeName%3Dnode-c', ['c']],
  ['labelSelector=app%3Dweb&fieldSelector=spec.nodeName!%3Dnode-a', ['b']],
])('?%s is answered from what is stored', async (query, expected) => {
  expect(names((await env.call('GET', `${pods}?${query}`)).body)).toEqual(expected)
})

test('an object and its place in a list have the same fields', async () => {
  const { kind, apiVersion, ...one } = (await env.call('GET', `${pods}/a`)).body
  expect({ kind, apiVersion }).toEqual({ kind: 'Pod', apiVersion: 'v1' })
  expect((await env.call('GET', pods)).body.items[0]).toEqual(one)
})

test('a watch reports when an object enters and leaves its selection', async () => {
  const { resourceVersion } = (await env.call('GET', pods)).body.metadata
  const watch = await env.watch(
    `${pods}?watch=true&labelSelector=app%3Dweb&resourceVersion=${resourceVersion}`,
  )
  const label = (name: string, app: string) =>
    env.call('PATCH', `${pods}/${name}`, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { labels: { app } } },
    })
  await label('c', 'web')
  await label('a', 'db')
  await env.clock.settle()
  expect(watch.take()).toMatchObject([
    { type: 'ADDED', object: { metadata: { name: 'c', labels: { app: 'web' } } } },
    { type: 'DELETED', object: { metadata: { name: 'a', labels: { app: 'web' } } } },
  ])
  await watch.close()
})

test('a change keeps the other fields and their owners', async () => {
  const before = (await env.call('GET', `${pods}/b`)).body
  await env.call('PATCH', `${pods}/b?fieldManager=other`, {
    headers: { 'content-type': 'application/merge-patch+json' },
    body: { metadata: { annotations: { seen: 'yes' } } },
  })
  const { body } = await env.call('GET', `${pods}/b`)
  expect(body.spec).toEqual(before.spec)
  expect(body.metadata.managedFields).toHaveLength(2)
  expect(body.metadata.managedFields).toContainEqual(before.metadata.managedFields[0])
})
