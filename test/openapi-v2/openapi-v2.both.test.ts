import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNativeGroup } from '../compare/native-groups.ts'
import { startTestServer, type TestServer } from '../test-server.ts'
import { gnosticEntries } from './gnostic-entries.ts'
import { GROUP, shapeDefinition, shapes, type Shape } from './shapes.ts'

const PATH = '/openapi/v2'
const GNOSTIC = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const CUSTOM = 'com.example.shapes.'

interface Document {
  readonly paths: Readonly<Record<string, unknown>>
  readonly definitions: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
  readonly [other: string]: unknown
}

let server: TestServer
const made: string[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  for (const name of made) await server?.call('DELETE', `${DEFINITIONS}/${name}s.${GROUP}`)
  await server?.close()
})

async function document(): Promise<Document> {
  const { status, body } = await server.call('GET', PATH)
  expect(status).toBe(200)
  return body as Document
}

async function protobuf(): Promise<Map<string, Uint8Array>> {
  const { status, body } = await server.transport.send({
    method: 'GET',
    path: PATH,
    query: new URLSearchParams(),
    headers: { accept: GNOSTIC },
  })
  expect(status).toBe(200)
  if (body instanceof Uint8Array) return gnosticEntries(body)
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return gnosticEntries(Buffer.concat(chunks))
}

async function define(name: string, shape: Shape): Promise<void> {
  made.push(name)
  const { status, body } = await server.call('POST', DEFINITIONS, { body: shapeDefinition(name, shape) })
  expect(status, JSON.stringify(body)).toBe(201)
}

function definitionName(name: string, version = 'v1'): string {
  return `${CUSTOM}${version}.${shapes[name]?.kind ?? name.charAt(0).toUpperCase() + name.slice(1)}`
}

function isNative(name: string): boolean {
  const [, group = ''] = /^\/apis\/([^/]*)/.exec(name) ?? []
  return name.startsWith('/') ? isNativeGroup(group) : name.startsWith('io.k8s.')
}

/** The number of entries of each group and version, and a hash of them: it shows bytes that differ. */
function hashes(entries: Iterable<readonly [string, string | Uint8Array]>): Record<string, string> {
  const groups = new Map<string, { count: number; hash: ReturnType<typeof createHash> }>()
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, value] of sorted) {
    const group = name.startsWith('/') ? name.split('/').slice(1, 4).join('/') : name.replace(/\.[^.]*$/, '')
    const known = groups.get(group) ?? { count: 0, hash: createHash('sha256') }
    groups.set(group, { count: known.count + 1, hash: known.hash.update(`${name}\n`).update(value) })
  }
  return Object.fromEntries(
    [...groups].map(([group, { count, hash }]) => [group, `${count} ${hash.digest('hex').slice(0, 16)}`]),
  )
}

function texts(entries: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(entries)
    .filter(([name]) => isNative(name))
    .map(([name, value]) => [name, JSON.stringify(value)])
}

const recorded = (name: string): string => new URL(`recorded/${name}.json`, import.meta.url).pathname
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

test('the document of native kinds is the one of kube-apiserver, to the order of its keys', async () => {
  const { paths, definitions, parameters, ...rest } = await document()
  await expect(
    json({
      ...rest,
      parameters: Object.keys(parameters),
      'parameters in full': hashes(
        Object.entries(parameters).map(([name, one]) => [name, JSON.stringify(one)]),
      ),
      paths: hashes(texts(paths)),
      definitions: hashes(texts(definitions)),
    }),
  ).toMatchFileSnapshot(recorded('native'))
})

test('the document in protobuf holds the same, byte for byte', async () => {
  const entries = [...(await protobuf())].map(([key, bytes]) => {
    const [list = '', name = ''] = key.split(' ')
    return { list, name, bytes }
  })
  const of = (wanted: string): [string, Uint8Array][] =>
    entries
      .filter(({ list, name }) => list === wanted && (wanted === 'parameters' || isNative(name)))
      .map(({ name, bytes }) => [name, bytes])
  await expect(
    json({
      paths: hashes(of('paths')),
      definitions: hashes(of('definitions')),
      parameters: hashes(of('parameters')),
    }),
  ).toMatchFileSnapshot(recorded('native-protobuf'))
})

test('custom kinds come with definitions and paths that a client of OpenAPI v2 can use', async () => {
  for (const [name, shape] of Object.entries(shapes)) await define(name, shape)
  const { paths, definitions } = await server.until('all shapes are in the document', async () => {
    const now = await document()
    return Object.keys(shapes).every((name) => now.definitions[definitionName(name)] !== undefined) && now
  })
  const ofGroup = (all: Readonly<Record<string, unknown>>, prefix: string): Record<string, unknown> =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith(prefix)))
  const bytes = [...(await protobuf())].filter(([key]) => key.startsWith(`definitions ${CUSTOM}`))
  const hashed = (entries: Iterable<readonly [string, string | Uint8Array]>): Record<string, string> =>
    Object.fromEntries(
      [...entries].map(([name, value]) => [
        name,
        createHash('sha256').update(value).digest('hex').slice(0, 16),
      ]),
    )
  const texts = (all: Record<string, unknown>): [string, string][] =>
    Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)])
  await expect(
    json({
      'definitions in full': Object.fromEntries(
        Object.keys(shapes).map((name) => [name, definitions[definitionName(name)]]),
      ),
      definitions: hashed(texts(ofGroup(definitions, CUSTOM))),
      'paths in full': ofGroup(paths, `/apis/${GROUP}/v1/namespaces/{namespace}/metadatums`),
      paths: hashed(texts(ofGroup(paths, `/apis/${GROUP}/`))),
      protobuf: hashed(bytes),
    }),
  ).toMatchFileSnapshot(recorded('custom'))
})

test('a definition that changes or goes changes the document, and its tag', async () => {
  await define('passing', shapes.plain!)
  const name = `${CUSTOM}v1.Passing`
  const first = await server.until('it has come', async () => {
    const answer = await server.call('GET', PATH)
    return answer.body.definitions[name] !== undefined && answer
  })
  const etag = first.headers['etag']!
  const same = await server.call('GET', PATH, { headers: { 'if-none-match': etag } })
  expect([same.status, same.body, same.headers['etag']]).toEqual([304, '', etag])

  const patched = await server.call('PATCH', `${DEFINITIONS}/passings.${GROUP}`, {
    contentType: 'application/json-patch+json',
    body: [
      {
        op: 'add',
        path: '/spec/versions/0/schema/openAPIV3Schema/properties/color',
        value: { type: 'string' },
      },
    ],
  })
  expect(patched.status).toBe(200)
  await server.until('it has changed', async () => {
    const { status, body, headers } = await server.call('GET', PATH, { headers: { 'if-none-match': etag } })
    return (
      status === 200 && headers['etag'] !== etag && body.definitions[name].properties.color?.type === 'string'
    )
  })

  await server.call('DELETE', `${DEFINITIONS}/passings.${GROUP}`)
  await server.until('it has gone', async () => {
    const { definitions, paths } = await document()
    const left = [...Object.keys(definitions), ...Object.keys(paths)].filter((key) => /passing/i.test(key))
    return left.length === 0
  })
})

test.for([
  ['application/json', 200, 'application/json'],
  ['*/*', 200, 'application/json'],
  ['application/*', 200, 'application/json'],
  ['application/json;as=nothing', 200, 'application/json'],
  [GNOSTIC, 200, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'],
  [GNOSTIC.replace('@', '.'), 200, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'],
  [`application/json;q=0.5,${GNOSTIC}`, 200, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'],
  [`text/html,${GNOSTIC};q=0.1`, 200, 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'],
  ['application/yaml', 406, undefined],
  ['application/vnd.kubernetes.protobuf', 406, undefined],
  ['nonsense', 406, undefined],
] as const)('a client that accepts %s gets %i', async ([accept, code, type]) => {
  const { status, headers } = await server.call('GET', PATH, { accept })
  expect([status, headers['content-type'], headers['vary']?.includes('Accept')]).toEqual([code, type, true])
})

test.for(['/openapi/v2/', '/openapi/v2/more', '/openapi'])('there is nothing at %s', async (path) => {
  expect((await server.call('GET', path)).status).toBe(404)
})
