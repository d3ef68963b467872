import { defineKind, schema as s } from '@homeostat/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

/** Two numbers that JavaScript reads as the same one, 9007199254740992. */
const [LOW, HIGH] = ['9007199254740991', '9007199254740993'] as const
const Meter = defineKind({
  group: 'exact.homeostat.test',
  version: 'v1',
  kind: 'Meter',
  spec: s.object({
    label: s.string().optional(),
    nanos: s.integer().optional(),
    more: s.list(s.object({ nanos: s.integer() })).optional(),
  }),
  status: s.object({ nanos: s.integer().optional(), ready: s.boolean().optional() }),
})

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ kinds: [Meter] })
})
afterAll(() => server.close())

const path = (name = ''): string =>
  `/apis/exact.homeostat.test/v1/namespaces/${server.namespace}/meters${name && `/${name}`}`

/** Makes a meter by the text of its parts, so that its numbers are exact. */
async function make(name: string, spec: string, status = '{}') {
  const metadata = `"metadata":{"name":"${name}"}`
  const text = `{"apiVersion":"exact.homeostat.test/v1","kind":"Meter",${metadata},"spec":${spec}}`
  await server.call('POST', path(), { body: text })
  await server.call('PATCH', `${path(name)}/status`, { body: `{"status":${status}}` })
  return server.client.live.get(Meter, { namespace: server.namespace, name })
}

/** The object as the server writes it. */
async function textOf(name: string): Promise<string> {
  const chunks: Uint8Array[] = []
  const { body } = await server.transport.send({
    method: 'GET',
    path: path(name),
    query: new URLSearchParams(),
    headers: { accept: 'application/json' },
  })
  if (body instanceof Uint8Array) chunks.push(body)
  else for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a whole number beyond 2^53 that a client has read rounded', () => {
  test('is written back exactly by an update of the whole object', async () => {
    const meter = (await make('update', `{"nanos":${HIGH},"label":"a"}`))!
    expect(meter.spec.nanos).toBe(9_007_199_254_740_992)
    const copy = structuredClone(meter)
    const { spec } = await server.client.update(Meter, { ...copy, spec: { ...copy.spec, label: 'b' } })
    expect(spec.label).toBe('b')
    expect(await textOf('update')).toContain(`"nanos":${HIGH}`)
  })

  test('is written back exactly by an update of the status', async () => {
    const meter = (await make('status', `{"nanos":${HIGH}}`, '{"nanos":9223372036854775807}'))!
    await server.client.status.update(Meter, { ...meter, status: { ...meter.status, ready: true } })
    const text = await textOf('status')
    expect(text).toContain(`"nanos":${HIGH}`)
    expect(text).toContain('"nanos":9223372036854775807')
    expect(text).toContain('"ready":true')
  })

  test('is found where its place in a list changed', async () => {
    const meter = (await make('moved', `{"more":[{"nanos":1},{"nanos":${HIGH}}]}`))!
    await server.client.update(Meter, { ...meter, spec: { more: meter.spec.more!.slice(1) } })
    expect(await textOf('moved')).toContain(`"more":[{"nanos":${HIGH}}]`)
  })

  test('is told from another that reads the same by its field', async () => {
    const meter = (await make('fields', `{"nanos":${HIGH}}`, '{"nanos":9007199254740992}'))!
    await server.client.update(Meter, { ...meter, spec: { ...meter.spec, label: 'b' } })
    const text = await textOf('fields')
    expect(text).toContain(`"nanos":${HIGH}`)
    expect(text).toContain('"status":{"nanos":9007199254740992}')
  })

  test('is refused where it cannot be told from another in a list', async () => {
    const meter = (await make('list', `{"more":[{"nanos":9007199254740992},{"nanos":${HIGH}}]}`))!
    const more = [...meter.spec.more!].reverse()
    await expect(server.client.update(Meter, { ...meter, spec: { more } })).rejects.toMatchObject({
      code: 'CLIENT_INEXACT_NUMBER',
      message: expect.stringMatching(/spec\.more\[0\]\.nanos of Meter .*\/list .*patch/) as string,
    })
    expect(await textOf('list')).toContain(`"nanos":${HIGH}`)
  })

  test('is the caller’s own where the server has none that reads so', async () => {
    const meter = (await make('own', `{"nanos":${LOW}}`))!
    await server.client.update(Meter, { ...meter, spec: { nanos: 2 ** 60 } })
    expect(await textOf('own')).toContain('"nanos":1152921504606846976')
  })
})
