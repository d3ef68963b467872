import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { conversations, ratcheting } from './rule-conversations.ts'
import { GROUP, definition, RULED, LOOSE, STRICT, EXPENSIVE, MIXED, paths } from './rule-samples.ts'
import { transcript } from './transcript.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const one of [RULED, LOOSE, EXPENSIVE, MIXED]) {
    await server.call('POST', paths.definitions, { body: definition(one) })
    await server.until(`${one.plural} are served`, async () => {
      const answer = await server.call(
        'GET',
        `/apis/${GROUP}/v1/namespaces/${server.namespace}/${one.plural}`,
      )
      return answer.status === 200
    })
  }
})
afterAll(async () => {
  for (const { plural } of [RULED, LOOSE, EXPENSIVE, MIXED]) {
    await server?.call('DELETE', `${paths.definitions}/${plural}.${GROUP}`)
  }
  await server?.close()
})

const snapshot = (title: string): string => new URL(`recorded/${title}.json`, import.meta.url).pathname

test.for(Object.entries(conversations))('%s are answered as Kubernetes does', async ([title, steps]) => {
  await expect(await transcript(server, steps)).toMatchFileSnapshot(snapshot(title))
})

test('what was stored before a schema became stricter may stay as it is', async () => {
  const path = `/apis/${GROUP}/v1/namespaces/${server.namespace}/ratchets`
  const make = (name: string, fields: object) =>
    server.call('POST', path, {
      body: { apiVersion: `${GROUP}/v1`, kind: 'Ratchet', metadata: { name }, spec: fields },
    })
  await make('old', { size: 9, color: 'blue' })
  await make('named', { names: ['bad', 'b'] })
  await make('doubles', { names: ['x', 'x'] })
  const answer = await server.call('PATCH', `${paths.definitions}/ratchets.${GROUP}`, {
    contentType: 'application/json-patch+json',
    body: [{ op: 'replace', path: '/spec/versions/0/schema/openAPIV3Schema', value: STRICT }],
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  await server.until('the schema is in force', async () => {
    const { status } = await server.call('POST', `${path}?dryRun=All`, {
      body: { apiVersion: `${GROUP}/v1`, kind: 'Ratchet', metadata: { name: 'try' }, spec: { size: 6 } },
    })
    return status === 422
  })
  await expect(await transcript(server, ratcheting)).toMatchFileSnapshot(snapshot('ratcheting'))
})
