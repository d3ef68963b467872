import { defineKind, parseJson, schema as s } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'

const Thing = defineKind({
  group: 'test.homeostat.dev',
  version: 'v1',
  kind: 'Thing',
  spec: s.object({
    number: s.integer().optional(),
    set: s.list(s.integer()).set().optional(),
    map: s
      .list(s.object({ id: s.integer(), value: s.string() }))
      .mapBy('id')
      .optional(),
  }),
  status: s.object({ number: s.integer().optional() }),
})
const THINGS = '/apis/test.homeostat.dev/v1/namespaces/default/things'
const BIG = '9007199254740993'
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start({ kinds: [Thing] })
})
afterEach(() => env.close())

/** The text of an answer, in which numbers are as they were written. */
async function text(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  body?: string,
  contentType = 'application/json',
): Promise<string> {
  const [pathname = '', query] = path.split('?')
  const response = await env.handler({
    method,
    path: pathname,
    query: new URLSearchParams(query),
    headers: { 'content-type': contentType },
    ...(body !== undefined && { body: new TextEncoder().encode(body) }),
  })
  const answer = new TextDecoder().decode(response.body as Uint8Array)
  expect(response.status, answer).toBeLessThan(300)
  return answer
}

function thing(spec: string): string {
  return `{"apiVersion":"test.homeostat.dev/v1","kind":"Thing","metadata":{"name":"a"},"spec":${spec}}`
}

test('a whole number beyond 2^53 stays exact in every form of request and answer', async () => {
  const watch = await env.watch(`${THINGS}?watch=1`)
  expect(await text('POST', THINGS, thing(`{"number":${BIG}}`))).toContain(`"number":${BIG}`)
  expect(await text('GET', `${THINGS}/a`)).toContain(`"number":${BIG}`)
  expect(await text('GET', THINGS)).toContain(`"number":${BIG}`)
  const other = '-9223372036854775808'
  const merge = 'application/merge-patch+json'
  expect(await text('PATCH', `${THINGS}/a`, `{"spec":{"number":${other}}}`, merge)).toContain(
    `"number":${other}`,
  )
  const operations = `[{"op":"test","path":"/spec/number","value":${other}},{"op":"replace","path":"/spec/number","value":${BIG}}]`
  expect(await text('PATCH', `${THINGS}/a`, operations, 'application/json-patch+json')).toContain(
    `"number":${BIG}`,
  )
  expect(await text('PATCH', `${THINGS}/a/status`, `{"status":{"number":${BIG}}}`, merge)).toContain(
    `"status":{"number":${BIG}}`,
  )
  await env.settle()
  expect(watch.events.length).toBeGreaterThan(3)
  await watch.close()
})

test('the test operation of a patch fails for a number that is only nearly equal', async () => {
  await text('POST', THINGS, thing(`{"number":${BIG}}`))
  const body = '[{"op":"test","path":"/spec/number","value":9007199254740992}]'
  const headers = { 'content-type': 'application/json-patch+json' }
  expect((await env.call('PATCH', `${THINGS}/a`, { body, headers })).code).toBe(422)
})

test('an apply with such numbers as keys and values owns each of them, and repeating it changes nothing', async () => {
  const body = thing(
    `{"number":${BIG},"set":[${BIG},9007199254740995],"map":[{"id":${BIG},"value":"x"},{"id":9007199254740995,"value":"y"}]}`,
  )
  const path = `${THINGS}/a?fieldManager=m`
  const first = await text('PATCH', path, body, 'application/apply-patch+yaml')
  expect(first).toContain(`"f:set":{"v:${BIG}":{},"v:9007199254740995":{}}`)
  expect(first).toContain(String.raw`"k:{\"id\":${BIG}}"`)
  expect(await text('PATCH', path, body, 'application/apply-patch+yaml')).toBe(first)
  const conflict = await env.call('PATCH', `${THINGS}/a?fieldManager=other`, {
    body: thing('{"number":9007199254740995}'),
    headers: { 'content-type': 'application/apply-patch+yaml' },
  })
  expect(conflict.code).toBe(409)
})

test('two keys that JavaScript rounds to the same number stay different', async () => {
  const set = '[9007199254740992,9007199254740993]'
  expect(await text('POST', THINGS, thing(`{"set":${set}}`))).toContain(`"set":${set}`)
  const twice = await env.call('POST', THINGS, { body: thing(`{"set":[${BIG},${BIG}]}`) })
  expect(twice.code).toBe(422)
  expect(twice.body.message).toContain(`spec.set[1]: Duplicate value: ${BIG}`)
})

test('a native kind keeps such numbers too, and refuses numbers that are not written as whole ones', async () => {
  const path = '/apis/apps/v1/namespaces/default/deployments'
  const body = (replicas: string): string => `{"metadata":{"name":"a"},"spec":{"replicas":${replicas}}}`
  for (const replicas of ['1.0', '1e2', '3000000000', BIG]) {
    const refused = await env.call('POST', path, { body: body(replicas) })
    expect(refused.body.message).toBe(
      `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal number ${replicas} into Go struct field DeploymentSpec.spec.replicas of type int32`,
    )
  }
  const pod = `{"metadata":{"name":"a"},"spec":{"terminationGracePeriodSeconds":${BIG},"containers":[{"name":"a","image":"a"}]}}`
  const answer = parseJson(await text('POST', '/api/v1/namespaces/default/pods', pod)) as { spec: object }
  expect(JSON.stringify(answer.spec)).toContain(`"terminationGracePeriodSeconds":${BIG}`)
})

test('an answer in YAML has such numbers as well', async () => {
  await text('POST', THINGS, thing(`{"number":${BIG}}`))
  const { body } = await env.call('GET', `${THINGS}/a`, { headers: { accept: 'application/yaml' } })
  expect(body).toContain(`number: ${BIG}\n`)
})
