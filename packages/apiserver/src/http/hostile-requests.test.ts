import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'
import { OPEN_KIND } from '../../test/open-kind.ts'

/** Requests that a client may send, and the answers of a Kubernetes API server 1.36. */
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
  await env.call('POST', CONFIG_MAPS, { body: { metadata: { name: 'a' } } })
})
afterEach(() => env.close())

describe('JSON nested a million deep', () => {
  const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`

  test('is refused as an object', async () => {
    const { code, body } = await env.call('POST', CONFIG_MAPS, { body: deep })
    expect(code).toBe(400)
    expect(body.message).toContain("json parse error: invalid character '[' exceeded max depth (5b5b5b5b")
  })

  test.each([
    ['application/merge-patch+json', `{"data":${deep}}`],
    ['application/json-patch+json', deep],
    ['application/strategic-merge-patch+json', `{"data":${deep}}`],
  ])('is refused as a patch: %s', async (type, body) => {
    const answer = await env.call('PATCH', `${CONFIG_MAPS}/a`, { body, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ code: 400, body: { reason: 'BadRequest' } })
    expect(answer.body.message).toContain('exceeded max depth')
  })

  test('is refused in YAML and in an apply', async () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' }
    const body = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: ${deep.slice(0, 400_000)}`
    const applied = await env.call('PATCH', `${CONFIG_MAPS}/a?fieldManager=m`, { body, headers })
    expect(applied.code).toBe(400)
    const yaml = await env.call('POST', CONFIG_MAPS, {
      body,
      headers: { 'content-type': 'application/yaml' },
    })
    expect(yaml.code).toBe(400)
  })
})

test('bytes that are not UTF-8 become the replacement character', async () => {
  const text = new TextEncoder().encode('{"metadata":{"name":"utf"},"data":{"a":"??"}}')
  const at = text.indexOf(0x3f)
  text.set([0xff, 0xfe], at)
  const response = await env.handler({
    method: 'POST',
    path: CONFIG_MAPS,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: text,
  })
  expect(response.status).toBe(201)
  const { body } = await env.call('GET', `${CONFIG_MAPS}/utf`)
  expect(body.data).toEqual({ a: '\ufffd\ufffd' })
})

test('of a duplicate key the last value counts; strict validation refuses it', async () => {
  const body = (name: string) => `{"metadata":{"name":"${name}"},"data":{"a":"1","a":"2"}}`
  const made = await env.call('POST', CONFIG_MAPS, { body: body('dup') })
  expect(made).toMatchObject({ code: 201, body: { data: { a: '2' } } })
  const strict = await env.call('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, { body: body('dup2') })
  expect(strict.code).toBe(400)
  expect(strict.body.message).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a"',
  )
})

test('whole numbers beyond 2^53 are kept as they are, and beyond 2^63 refused where the field is typed', async () => {
  await env.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: OPEN_KIND })
  const read = async (value: string): Promise<string> => {
    const body = `{"apiVersion":"test.dev/v1","kind":"Open","metadata":{"generateName":"o-"},"spec":{"n":${value}}}`
    const response = await env.handler({
      method: 'POST',
      path: '/apis/test.dev/v1/opens',
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(body),
    })
    return /"n":([^}]*)/.exec(new TextDecoder().decode(response.body as Uint8Array))?.[1] ?? ''
  }
  expect(await read('9007199254740993')).toBe('9007199254740993')
  expect(await read('-9223372036854775808')).toBe('-9223372036854775808')
  const body = '{"metadata":{"name":"n","generation":99999999999999999999}}'
  const typed = await env.call('POST', CONFIG_MAPS, { body })
  expect(typed.code).toBe(400)
  expect(typed.body.message).toContain('cannot unmarshal number 99999999999999999999 into Go struct field')
})

test('a patch of 10,000 operations is taken, one more is refused', async () => {
  const headers = { 'content-type': 'application/json-patch+json' }
  const one = { op: 'test', path: '/kind', value: 'ConfigMap' }
  const body = Array.from({ length: 10_001 }, () => one)
  const refused = await env.call('PATCH', `${CONFIG_MAPS}/a`, { body, headers })
  expect(refused).toMatchObject({ code: 413, body: { reason: 'RequestEntityTooLarge' } })
  expect(refused.body.message).toBe(
    'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  )
  const taken = await env.call('PATCH', `${CONFIG_MAPS}/a`, { body: body.slice(1), headers })
  expect(taken.code).toBe(200)
})

test.each(['^(a+)+$', '^(a|aa)+$', '^(.*a){20}$', '(x+x+)+y'])(
  'a pattern that takes exponential time in other engines is answered at once: %s',
  async (pattern) => {
    const definition = structuredClone(OPEN_KIND) as any
    definition.spec.versions[0].schema.openAPIV3Schema.properties.spec = {
      type: 'object',
      properties: { text: { type: 'string', pattern } },
    }
    const made = await env.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      body: definition,
    })
    expect(made.code).toBe(201)
    const text = `${'a'.repeat(5_000)}!`
    const { code } = await env.call('POST', '/apis/test.dev/v1/opens', {
      body: { apiVersion: 'test.dev/v1', kind: 'Open', metadata: { name: 'o' }, spec: { text } },
    })
    expect(code).toBe(422)
  },
)

describe('a path with unusual parts', () => {
  const NOT_FOUND = 'the server could not find the requested resource'

  test.each([
    ['/api/v1/../v1/namespaces', 404, NOT_FOUND],
    ['/api/v1/namespaces/default/../../nodes', 404, NOT_FOUND],
    ['/api/v1/namespaces/..%2fdefault/configmaps', 404, NOT_FOUND],
    ['/api/v1/namespaces/default/configmaps/..%2f..', 404, NOT_FOUND],
    ['/api/v1/namespaces/..', 400, `Name parameter invalid: "..": may not be '..'`],
    ['/api/v1/namespaces/default/configmaps/..', 400, `Name parameter invalid: "..": may not be '..'`],
    ['/api/v1/namespaces/a%25b', 400, `Name parameter invalid: "a%b": may not contain '%'`],
    ['/api/v1/namespaces/%2e%2e/configmaps', 500, 'invalid key: "/configmaps/.."'],
    ['/api/v1/namespaces/%00', 404, String.raw`namespaces "\x00" not found`],
    ['/api/v1/namespaces/a%20b', 404, 'namespaces "a b" not found'],
  ])('%s is answered with %d', async (path, code, message) => {
    const answer = await callPath(path)
    expect([answer.code, answer.body.message]).toEqual([code, message])
  })

  test.each([
    ['/../../etc/passwd', 404, '404 page not found\n'],
    ['//api/v1/namespaces', 404, '404 page not found\n'],
    ['/api/v1/namespaces/%zz', 400, '400 Bad Request'],
  ])('%s is answered with %d, in plain text', async (path, code, text) => {
    expect(await callPath(path)).toMatchObject({ code, body: text })
  })

  /** Sends the path unchanged: a client would normalize it. */
  async function callPath(path: string): Promise<{ code: number; body: any }> {
    const { status, headers, body } = await env.handler({
      method: 'GET',
      path,
      query: new URLSearchParams(),
      headers: {},
    })
    const text = new TextDecoder().decode(body as Uint8Array)
    return { code: status, body: headers['content-type'] === 'application/json' ? JSON.parse(text) : text }
  }
})

test('a JSON patch that moves long lists many times does not block other requests', async () => {
  await env.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: OPEN_KIND })
  const opens = '/apis/test.dev/v1/opens'
  const spec = { list: Array.from({ length: 700_000 }, () => 1) }
  const body = { apiVersion: 'test.dev/v1', kind: 'Open', metadata: { name: 'long' }, spec }
  expect((await env.call('POST', opens, { body })).code).toBe(201)
  const operation = { op: 'add', path: '/spec/list/0', value: 2 }
  const answers: string[] = []
  const patched = env
    .call('PATCH', `${opens}/long?dryRun=All`, {
      // It fails in the end, so that nothing else is done with the object, which is large.
      body: [
        ...Array.from({ length: 1_000 }, () => operation),
        { op: 'test', path: '/spec/list', value: 'none' },
      ],
      headers: { 'content-type': 'application/json-patch+json' },
    })
    .then(({ code }) => answers.push(`patch ${code}`))
  // If the patch were applied in one turn, it would be answered before all of these.
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  answers.push('others')
  await patched
  expect(answers).toEqual(['others', 'patch 422'])
})
