import { ApiServer } from '@homeostat/apiserver'
import { loadConfig } from 'homeostat'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { WebSocket } from 'ws'

interface Address {
  readonly url: string
  readonly ca: string | undefined
  readonly token: string | undefined
}

const isReal = process.env.HOMEOSTAT_TEST_SERVER === 'kubernetes'

let address: Address
let close: () => unknown = () => undefined
/** Forgets all changes. A real server does so by itself after five minutes. */
let compact: () => void

beforeAll(async () => {
  if (isReal) {
    const { server, tls, token } = loadConfig({ kubeconfig: inject('kubernetes').kubeconfig })
    address = { url: server, ca: tls.ca, token }
  } else {
    const server = await ApiServer.start()
    close = () => server.close()
    const { store } = server.registry
    compact = () => store.compact(store.revision)
    const { url, certificateAuthority: ca, token } = await server.listen()
    address = { url, ca, token }
  }
})
afterAll(() => close())

interface Options {
  readonly origin?: string | undefined
  readonly protocols?: readonly string[]
  readonly accept?: string
  readonly token?: string
  /** The client's request. */
  readonly send?: readonly string[]
}

interface Conversation {
  /** The answer to the handshake. */
  readonly status: number | undefined
  readonly protocol?: string | undefined
  readonly messages: readonly { readonly binary: boolean; readonly data: Buffer }[]
  readonly pongs: readonly string[]
  /** How the server closed the connection. */
  readonly code?: number
}

/** Talks to the server until it ends the connection or refuses the handshake. */
function converse(path: string, options: Options = {}): Promise<Conversation> {
  const { promise, resolve, reject } = Promise.withResolvers<Conversation>()
  const { origin = 'https://client.example.com', protocols = [], accept, token = address.token } = options
  const socket = new WebSocket(address.url.replace('https:', 'wss:') + path, [...protocols], {
    ca: address.ca,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(accept && { accept }),
      ...(origin && { origin }),
    },
  })
  const messages: { binary: boolean; data: Buffer }[] = []
  const pongs: string[] = []
  let status: number | undefined
  socket.on('upgrade', (response) => (status = response.statusCode))
  socket.on('open', () => {
    for (const text of options.send ?? []) socket.send(text)
    socket.ping('are you there?')
  })
  socket.on('pong', (data) => pongs.push(data.toString()))
  socket.on('message', (data: Buffer, binary) => messages.push({ binary, data }))
  socket.on('unexpected-response', (_request, response) => {
    response.resume().on('end', () => resolve({ status: response.statusCode, messages, pongs }))
  })
  socket.on('error', reject)
  socket.on('close', (code) => resolve({ status, protocol: socket.protocol, messages, pongs, code }))
  return promise
}

const DEFAULT = '/api/v1/namespaces?watch=true&fieldSelector=metadata.name=default&timeoutSeconds=1'

describe('a watch over a WebSocket', () => {
  test('is a message of text for each event, answers pings, ignores the client, and ends with 1000', async () => {
    const { messages, ...rest } = await converse(DEFAULT, { send: ['hello', 'x'.repeat(100_000)] })
    expect(rest).toEqual({ status: 101, protocol: '', pongs: ['are you there?'], code: 1000 })
    expect(messages.map(({ binary }) => binary)).toEqual([false])
    const text = String(messages[0]?.data)
    expect(text.endsWith('}}\n')).toBe(true)
    expect(JSON.parse(text)).toMatchObject({
      type: 'ADDED',
      object: { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'default' } },
    })
  })

  test('has several messages for several events', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles?watch=true&timeoutSeconds=1'
    const { messages } = await converse(path)
    const types = messages.map(({ data }) => (JSON.parse(String(data)) as { type: string }).type)
    expect(types.length).toBeGreaterThan(10)
    expect(new Set(types)).toEqual(new Set(['ADDED']))
  })

  test('is binary for protobuf, without the length that stands before a frame elsewhere', async () => {
    const { messages, code } = await converse(DEFAULT, { accept: 'application/vnd.kubernetes.protobuf' })
    expect(code).toBe(1000)
    expect(messages.map(({ binary }) => binary)).toEqual([true])
    expect(messages[0]?.data.subarray(0, 8).toString('latin1')).toBe('\n\u0005ADDED\u0012')
  })

  test('is a table where the client wants one', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
    const { messages } = await converse(DEFAULT, { accept })
    expect(JSON.parse(String(messages[0]?.data))).toMatchObject({ type: 'ADDED', object: { kind: 'Table' } })
  })

  test('may be asked for by the path of old clients', async () => {
    const { status, messages, code } = await converse('/api/v1/watch/namespaces/default?timeoutSeconds=1')
    expect([status, messages.length, code]).toEqual([101, 1, 1000])
  })

  test.skipIf(isReal)('has an error for a version that is too old, and ends with 1000', async () => {
    compact()
    const { status, messages, code } = await converse('/api/v1/namespaces?watch=true&resourceVersion=1')
    expect([status, code]).toEqual([101, 1000])
    expect(messages.map(({ data }) => JSON.parse(String(data)) as unknown)).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
    ])
  })

  test('has the one protocol that the client asks for', async () => {
    const { status, protocol, messages } = await converse(DEFAULT, { protocols: ['v4.channel.k8s.io'] })
    expect([status, protocol, messages.length]).toEqual([101, 'v4.channel.k8s.io', 1])
  })

  test('takes a token among the protocols, which is none of them', async () => {
    const bearer = `base64url.bearer.authorization.k8s.io.${Buffer.from(address.token ?? '').toString('base64url')}`
    const protocols = [bearer, 'base64.binary.k8s.io']
    const { status, protocol } = await converse(DEFAULT, { protocols, token: '' })
    expect([status, protocol]).toEqual([101, 'base64.binary.k8s.io'])
    expect((await converse(DEFAULT, { protocols })).status).toBe(400)
  })
})

describe('the handshake is refused', () => {
  test.each<[string, string, Options, number]>([
    ['without an origin', DEFAULT, { origin: '' }, 403],
    ['with an invalid origin', DEFAULT, { origin: '::::' }, 403],
    ['with several protocols', DEFAULT, { protocols: ['a', 'b'] }, 400],
    ['with a token that is wrong', DEFAULT, { token: 'wrong' }, 401],
    ['with an invalid version', '/api/v1/namespaces?watch=true&resourceVersion=x', {}, 500],
    ['with an invalid selector', '/api/v1/namespaces?watch=true&fieldSelector=x', {}, 400],
    ['where there is no such kind', '/api/v1/nothing?watch=true', {}, 404],
    ['for a list', '/api/v1/namespaces', {}, 200],
  ])('%s', async (_, path, options, status) => {
    expect(await converse(path, options)).toEqual({ status, messages: [], pongs: [] })
  })
})
