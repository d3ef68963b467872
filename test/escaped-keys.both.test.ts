import { defineKind, schema as s } from '@homeostat/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

/**
 * `JSON.parse` of V8 takes a key of one escaped character for a backslash, where it has read an object with the key `\` in the
 * same place before.
 */
const KEYS = ['\n', '\t', '"', '\u0001'] as const
const Dictionary = defineKind({
  group: 'keys.homeostat.test',
  version: 'v1',
  kind: 'Dictionary',
  plural: 'dictionaries',
  spec: s.object({ words: s.map(s.string()) }),
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [Dictionary] })
})
afterAll(() => server.close())

/** Makes a dictionary with a key, besides one that only this test uses. */
async function make(test: string, name: string, key: string): Promise<void> {
  await server.client.create(Dictionary, {
    metadata: { name, namespace: server.namespace, labels: { test } },
    spec: { words: { [`a-${test}`]: '1', [key]: '2' } },
  })
}

async function makeAll(test: string): Promise<void> {
  await make(test, `${test}-0`, '\\')
  for (const [index, key] of KEYS.entries()) await make(test, `${test}-${index + 1}`, key)
}

const keysOf = ({ spec }: { spec: { words: Readonly<Record<string, string>> } }): string =>
  Object.keys(spec.words).filter((key) => key.length === 1)[0]!

test('a get gives keys of one escaped character as they are', async () => {
  await makeAll('get')
  const keys: string[] = []
  for (let index = 0; index <= KEYS.length; index++) {
    const read = await server.client.live.get(Dictionary, {
      namespace: server.namespace,
      name: `get-${index}`,
    })
    keys.push(keysOf(read!))
  }
  expect(keys).toEqual(['\\', ...KEYS])
})

test('an update writes keys of one escaped character back as they are', async () => {
  await makeAll('update')
  await server.client.live.get(Dictionary, { namespace: server.namespace, name: 'update-0' })
  const read = await server.client.live.get(Dictionary, { namespace: server.namespace, name: 'update-1' })
  const { spec } = await server.client.update(Dictionary, {
    ...read!,
    spec: { words: { ...read!.spec.words, b: '3' } },
  })
  expect(spec.words).toEqual({ 'a-update': '1', '\n': '2', b: '3' })
})

test('a list gives keys of one escaped character as they are', async () => {
  await makeAll('list')
  const items = await server.client.live.list(Dictionary, {
    namespace: server.namespace,
    labels: { test: 'list' },
  })
  expect(items.map(keysOf)).toEqual(['\\', ...KEYS])
})
