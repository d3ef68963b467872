import type { ApiRequest, ApiResponse } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'
import { decodeBody, PROTOBUF } from '../wire/index.ts'
import { inEnvelope, writeObject } from '../wire/protobuf/encode-protobuf.ts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const ANY = { kind: '', apiVersion: '' }
let env: TestEnvironment

beforeEach(async () => {
  env = await TestEnvironment.start()
})
afterEach(() => env.close())

function send(
  method: ApiRequest['method'],
  path: string,
  body?: object,
  accept = PROTOBUF,
): Promise<ApiResponse> {
  const { kind = '', apiVersion = '' } = (body ?? {}) as { kind?: string; apiVersion?: string }
  return env.handler({
    method,
    path: path.split('?')[0]!,
    query: new URLSearchParams(path.split('?')[1]),
    headers: { accept, ...(body && { 'content-type': PROTOBUF }) },
    ...(body && { body: inEnvelope(apiVersion, kind, writeObject(apiVersion, kind, body)!) }),
  })
}

/** The object in an answer. */
function read(response: ApiResponse): any {
  expect(response.headers['content-type']).toBe(PROTOBUF)
  return decodeBody(response.body as Uint8Array, PROTOBUF, ANY).value
}

function configMap(name: string, data: Record<string, string>): object {
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data }
}

test('an object is created, read, replaced, listed and deleted in protobuf alone', async () => {
  const created = await send('POST', CONFIG_MAPS, configMap('a', { x: '1' }))
  expect(created.status).toBe(201)
  expect(read(created).data).toEqual({ x: '1' })
  const found = read(await send('GET', `${CONFIG_MAPS}/a`))
  expect(found).toEqual((await env.call('GET', `${CONFIG_MAPS}/a`)).body)
  expect(read(await send('PUT', `${CONFIG_MAPS}/a`, { ...found, data: { x: '2' } })).data).toEqual({ x: '2' })
  const list = read(await send('GET', CONFIG_MAPS))
  expect(list).toMatchObject({ kind: 'ConfigMapList', items: [{ data: { x: '2' } }] })
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'another' } }
  expect(read(await send('DELETE', `${CONFIG_MAPS}/a`, options))).toMatchObject({ kind: 'Status', code: 409 })
  expect(read(await send('DELETE', `${CONFIG_MAPS}/a`))).toMatchObject({ kind: 'Status', status: 'Success' })
})

test('a list in protobuf is the list in JSON', async () => {
  for (const name of ['a', 'b']) await send('POST', CONFIG_MAPS, configMap(name, { name }))
  const { body } = await env.call('GET', `${CONFIG_MAPS}?limit=1`)
  expect(read(await send('GET', `${CONFIG_MAPS}?limit=1`))).toEqual(body)
})

test('a watch in protobuf is a stream of frames', async () => {
  const response = await send(
    'GET',
    `${CONFIG_MAPS}?watch=1&resourceVersion=0&timeoutSeconds=120&allowWatchBookmarks=1`,
  )
  expect(response.headers['content-type']).toBe(`${PROTOBUF};stream=watch`)
  const chunks: Uint8Array[] = []
  const reading = (async () => {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk)
  })()
  await send('POST', CONFIG_MAPS, configMap('a', { x: '1' }))
  await send('DELETE', `${CONFIG_MAPS}/a`)
  await env.advance('121s')
  await reading
  expect(
    framesOf(chunks).map(({ type, object }) => `${type} ${object.kind} ${object.metadata.name ?? ''}`),
  ).toEqual(['ADDED ConfigMap a', 'DELETED ConfigMap a', expect.stringMatching(/^BOOKMARK ConfigMap $/)])
})

/** The events in frames: each frame has four bytes with its length, then an event whose object is in its envelope. */
function framesOf(chunks: readonly Uint8Array[]): { type: string; object: any }[] {
  const bytes = Buffer.concat(chunks)
  const frames = []
  for (let start = 0; start < bytes.length;) {
    const end = start + 4 + bytes.readUInt32BE(start)
    const event = bytes.subarray(start + 4, end)
    const typeEnd = 2 + event[1]!
    const envelope = event.subarray(event.indexOf('k8s\0'))
    frames.push({
      type: event.subarray(2, typeEnd).toString(),
      object: decodeBody(envelope, PROTOBUF, ANY).value,
    })
    start = end
  }
  return frames
}

test('failures, discovery and metadata are served in protobuf', async () => {
  expect(read(await send('GET', `${CONFIG_MAPS}/none`))).toMatchObject({ kind: 'Status', reason: 'NotFound' })
  expect(read(await send('GET', '/apis/apps'))).toMatchObject({ kind: 'APIGroup', name: 'apps' })
  expect(read(await send('GET', '/apis'))).toMatchObject({ kind: 'APIGroupList' })
  const form = `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`
  const metadata = read(await send('GET', '/api/v1/namespaces/default', undefined, form))
  expect(metadata).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'default' } })
})

test('an object of another kind, and one that cannot be read, is refused', async () => {
  const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' } }
  expect(read(await send('POST', CONFIG_MAPS, secret))).toMatchObject({
    message:
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    code: 400,
  })
  const headers = { 'content-type': PROTOBUF }
  const { body } = await env.call('POST', CONFIG_MAPS, { body: '{}', headers })
  expect(body.message).toBe(
    'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})',
  )
})
