import { once } from 'node:events'
import { request } from 'node:https'
import { connect, type ConnectionOptions } from 'node:tls'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ApiServer } from '../../server.ts'
import { ADMIN } from '../../auth/index.ts'
import { Failure } from '../../registry/resource/failure.ts'
import type { ApiPort } from '../../port/port.ts'
import type { PodExecRequest, PodStreams } from '../../native/pod-runner/pod-streams.ts'
import type { CommandStreams } from './stream-session.ts'

let server: ApiServer
let port: ApiPort
/** The commands that ran, and how each ended. */
let runs: { readonly request: PodExecRequest; readonly signal: AbortSignal }[]

/** Commands of the test, named by what they do. */
const podStreams: PodStreams = {
  exec: (request) => {
    if (request.command[0] === 'refused') {
      throw new Failure({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'refused',
        code: 418,
      })
    }
    return Promise.resolve((streams) => {
      runs.push({ request, signal: streams.signal })
      return run(request.command, streams)
    })
  },
  attach: () => Promise.resolve(() => Promise.reject(new Error('no process'))),
  portForward: () =>
    Promise.resolve((number) => {
      if (number === 81) return Promise.reject(new Error('connect: connection refused'))
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      return Promise.resolve({ readable, writable, close: () => undefined })
    }),
}

async function run(command: readonly string[], streams: CommandStreams): Promise<number> {
  const { stdin, stdout, stderr, sizes, signal } = streams
  const out = stdout?.getWriter()
  switch (command[0]) {
    case 'cat': {
      for await (const chunk of stdin as AsyncIterable<Uint8Array>) await out?.write(chunk)
      return 0
    }
    case 'both':
      await out?.write(Buffer.from('to out'))
      await stderr?.getWriter().write(Buffer.from('to err'))
      return Number(command[1])
    case 'size': {
      for await (const { width, height } of sizes as AsyncIterable<{ width: number; height: number }>) {
        await out?.write(Buffer.from(`${width}x${height}`))
        return 0
      }
      return 1
    }
    case 'flood':
      while (!signal.aborted) await out?.write(new Uint8Array(65_536))
      return 0
    case 'forever':
      await once(signal, 'abort')
      return 0
    default:
      throw new Error('no such command')
  }
}

beforeEach(async () => {
  runs = []
  server = await ApiServer.start({ podStreams })
  port = await server.listen()
  await prepare()
})
afterEach(() => server.close())

/** A node, and Pods on it. */
async function prepare(): Promise<void> {
  await create('/api/v1/nodes', { kind: 'Node', apiVersion: 'v1', metadata: { name: 'node' } })
  for (const name of ['pod', 'two', 'unbound']) {
    const containers = (name === 'two' ? ['a', 'b'] : ['main']).map((container) => ({
      name: container,
      image: 'x',
    }))
    await create('/api/v1/namespaces/default/pods', {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name },
      spec: { containers, ...(name !== 'unbound' && { nodeName: 'node' }) },
    })
  }
}

async function create(path: string, object: object): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify(object))
  const headers = { 'content-type': 'application/json' }
  const { status } = await server.handler({
    method: 'POST',
    path,
    query: new URLSearchParams(),
    headers,
    body,
  })
  expect(status).toBe(201)
}

const pathOf = (subresource: string, query: string, pod = 'pod'): string =>
  `/api/v1/namespaces/default/pods/${pod}/${subresource}?${query}`

/** A WebSocket's messages, one after the other. */
class Socket {
  readonly socket: WebSocket
  readonly #messages: Buffer[] = []
  #wake: (() => void) | undefined
  readonly closed: Promise<number>

  constructor(path: string, protocols: string[], headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`${port.url.replace('https', 'wss')}${path}`, protocols, {
      ca: port.certificateAuthority,
      headers: { authorization: `Bearer ${port.token}`, ...headers },
    })
    this.socket.on('message', (data) => {
      this.#messages.push(data as Buffer)
      this.#wake?.()
    })
    this.closed = new Promise((resolve) => this.socket.on('close', resolve))
    this.socket.on('error', () => undefined)
  }

  async open(): Promise<this> {
    await once(this.socket, 'open')
    return this
  }

  async next(): Promise<Buffer> {
    for (;;) {
      const message = this.#messages.shift()
      if (message) return message
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** Everything on each channel, until the server is done. */
  async all(): Promise<Record<number, string>> {
    await this.closed
    const channels: Record<number, string> = {}
    for (const message of this.#messages) {
      const [channel] = message
      channels[channel!] = (channels[channel!] ?? '') + message.subarray(1).toString()
    }
    return channels
  }
}

describe('a command over a WebSocket', () => {
  it('sends its output and its exit code to the client', async () => {
    const socket = new Socket(pathOf('exec', 'command=both&command=3&stdout=1&stderr=1'), [
      'v5.channel.k8s.io',
    ])
    const { 1: out, 2: err, 3: end } = await socket.all()
    expect(out).toBe('to out')
    expect(err).toBe('to err')
    expect(JSON.parse(end!)).toEqual({
      metadata: {},
      status: 'Failure',
      reason: 'NonZeroExitCode',
      message: 'command terminated with non-zero exit code: command terminated with exit code 3',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    })
    expect(await socket.closed).toBe(1000)
  })

  it('sees the end of its input where the protocol can send it', async () => {
    const socket = await new Socket(pathOf('exec', 'command=cat&stdin=1&stdout=1'), [
      'v5.channel.k8s.io',
    ]).open()
    socket.socket.send(Buffer.from('\0some input'))
    socket.socket.send(Buffer.from([255, 0]))
    const { 1: out, 3: end } = await socket.all()
    expect(out).toBe('some input')
    expect(JSON.parse(end!)).toEqual({ metadata: {}, status: 'Success' })
  })

  it('gets the sizes of the terminal, and ignores other messages', async () => {
    const socket = await new Socket(pathOf('exec', 'command=size&stdout=1&stderr=1&tty=1'), [
      'v4.channel.k8s.io',
    ]).open()
    socket.socket.send(Buffer.from('\x04{"Width":"no"}{"Width":-1,"Height":2}nonsense}'))
    socket.socket.send(Buffer.from('\x04{"Width":80,"Height":24}'))
    expect((await socket.all())[1]).toBe('80x24')
    expect(runs[0]!.request).toMatchObject({ tty: true, stderr: false })
  })

  it('sends base64 to clients that cannot read bytes', async () => {
    const socket = await new Socket(pathOf('exec', 'command=cat&stdin=1&stdout=1'), [
      'v4.base64.channel.k8s.io',
    ]).open()
    expect((await socket.next()).toString()).toBe('1')
    socket.socket.send(`0${Buffer.from('text').toString('base64')}`)
    expect((await socket.next()).toString()).toBe(`1${Buffer.from('text').toString('base64')}`)
    socket.socket.close()
    await socket.closed
  })

  it('reports failures to old clients in plain text', async () => {
    const socket = new Socket(pathOf('exec', 'command=nothing&stdout=1'), ['channel.k8s.io'])
    expect((await socket.all())[3]).toBe(
      'Internal error occurred: error executing command in container: no such command',
    )
    const attached = new Socket(pathOf('attach', 'stdout=1'), ['v5.channel.k8s.io'])
    expect(JSON.parse((await attached.all())[3]!)).toMatchObject({
      code: 500,
      message: 'Internal error occurred: error attaching to container: no process',
    })
  })

  it('ends when its client disconnects', async () => {
    const socket = await new Socket(pathOf('exec', 'command=forever&stdout=1'), ['v5.channel.k8s.io']).open()
    await socket.next()
    expect(runs[0]!.signal.aborted).toBe(false)
    socket.socket.terminate()
    if (!runs[0]!.signal.aborted) await once(runs[0]!.signal, 'abort')
  })

  it('waits while its client does not read, and ends with the server', async () => {
    const socket = await new Socket(pathOf('exec', 'command=flood&stdout=1'), ['v5.channel.k8s.io']).open()
    await socket.next()
    socket.socket.pause()
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 200; i++) await new Promise((resolve) => setImmediate(resolve))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000)
    await server.close()
    expect(runs[0]!.signal.aborted).toBe(true)
    socket.socket.resume()
    expect(await socket.closed).toBe(1006)
  })

  it('takes the token from the protocols, as browsers send it', async () => {
    const token = Buffer.from(port.token).toString('base64url')
    const protocols = [`base64url.bearer.authorization.k8s.io.${token}`, 'v4.channel.k8s.io']
    const url = `${port.url.replace('https', 'wss')}${pathOf('exec', 'command=both&command=0&stdout=1')}`
    const socket = new WebSocket(url, protocols, { ca: port.certificateAuthority })
    await once(socket, 'open')
    expect(socket.protocol).toBe('v4.channel.k8s.io')
    await once(socket, 'close')
  })

  it.each([
    ['a message for no channel', Buffer.from([9, 1, 2, 3])],
    ['an empty message', Buffer.alloc(0)],
    ['input that was not requested', Buffer.from('\0text')],
    ['the end of no channel', Buffer.from([255, 77])],
  ])('ignores %s', async (_what, message) => {
    const socket = await new Socket(pathOf('exec', 'command=forever&stdout=1'), ['v5.channel.k8s.io']).open()
    await socket.next()
    socket.socket.send(message)
    socket.socket.ping()
    await once(socket.socket, 'pong')
    expect(runs[0]!.signal.aborted).toBe(false)
    socket.socket.terminate()
  })

  it.each([
    ['a malformed end', Buffer.from([255, 0, 0])],
    ['a message that is too long', Buffer.alloc(33 * 1_048_576)],
  ])('ends after %s', async (_what, message) => {
    const socket = await new Socket(pathOf('exec', 'command=cat&stdin=1&stdout=1'), [
      'v5.channel.k8s.io',
    ]).open()
    socket.socket.send(message)
    expect(await socket.closed).not.toBe(1000)
    if (!runs[0]!.signal.aborted) await once(runs[0]!.signal, 'abort')
    expect((await send(pathOf('exec', ''), {})).code).toBe(400)
  })
})

describe('ports over a WebSocket by the old protocol', () => {
  it('have a channel for data and one for errors, on which their number comes first', async () => {
    const socket = await new Socket(pathOf('portforward', 'ports=80&ports=81'), ['v4.channel.k8s.io']).open()
    const first = [
      await socket.next(),
      await socket.next(),
      await socket.next(),
      await socket.next(),
      await socket.next(),
    ]
    expect(first.map((message) => [...message.subarray(0, 3)]).toSorted((a, b) => a[0]! - b[0]!)).toEqual([
      [0, 80, 0],
      [1, 80, 0],
      [2, 81, 0],
      [3, 81, 0],
      [3, 101, 114],
    ])
    socket.socket.send(Buffer.from('\0hello'))
    expect((await socket.next()).toString()).toBe('\0hello')
    socket.socket.terminate()
  })
})

interface Answer {
  readonly code: number
  readonly body: string
  readonly socket?: Duplex
}

function send(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  authorization = `Bearer ${port.token}`,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${port.url}${path}`, {
      method,
      ca: port.certificateAuthority,
      headers: { authorization, ...headers },
    })
    const answered = (incoming: IncomingMessage): void => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve({ code: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      )
    }
    outgoing.on('response', answered)
    outgoing.on('upgrade', (incoming, socket) => {
      resolve({
        code: incoming.statusCode ?? 0,
        body: String(incoming.headers['x-stream-protocol-version']),
        socket,
      })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

const SPDY = { connection: 'Upgrade', upgrade: 'SPDY/3.1' }

describe('a request for a stream', () => {
  const exec = pathOf('exec', 'command=cat&stdout=1')

  it.each([
    ['of a missing Pod', pathOf('exec', 'command=cat&stdout=1', 'none'), 404, /pods "none" not found/],
    [
      'of a missing container',
      pathOf('exec', 'container=c&stdout=1&command=x'),
      400,
      /container c is not valid for pod pod/,
    ],
    [
      'of one of two containers',
      pathOf('attach', 'stdout=1', 'two'),
      400,
      /a container name must be specified for pod two, choose one of: \[a b\]/,
    ],
    [
      'of a Pod without a node',
      pathOf('portforward', '', 'unbound'),
      400,
      /pod unbound does not have a host assigned/,
    ],
    ['without streams', pathOf('exec', 'command=x'), 400, /at least 1 of stdin, stdout, stderr/],
    ['without a command', pathOf('exec', 'stdout=1'), 400, /command/],
    ['that the node refuses', pathOf('exec', 'command=refused&stdout=1'), 418, /refused/],
  ])('%s is answered with a Status', async (_what, path, code, message) => {
    const answer = await send(path, SPDY, 'POST')
    expect(answer.code).toBe(code)
    expect(JSON.parse(answer.body)).toMatchObject({ kind: 'Status', message: expect.stringMatching(message) })
  })

  it('must ask for an upgrade to a supported protocol', async () => {
    expect(JSON.parse((await send(exec, {})).body).message).toBe('Upgrade request required')
    expect((await send(exec, { connection: 'Upgrade', upgrade: 'h2c' })).code).toBe(400)
    const spdy = await send(exec, { ...SPDY, 'x-stream-protocol-version': 'v9.channel.k8s.io' }, 'POST')
    expect(spdy).toMatchObject({ code: 403, body: expect.stringContaining('unable to negotiate protocol') })
    const token = 'base64url.bearer.authorization.k8s.io.c2VjcmV0'
    const socket = await send(exec, {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-protocol': token,
    })
    expect(socket.code).toBe(403)
    expect(socket.body).not.toContain('c2VjcmV0')
  })

  it('needs the right to create, also by GET', async () => {
    const rules = [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['get'] }]
    await create('/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader' },
      rules,
    })
    await create('/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' }],
    })
    const as = { ...SPDY, 'impersonate-user': 'ann' }
    expect(await send(exec, as)).toMatchObject({
      code: 403,
      body: expect.stringContaining('pods \\"pod\\" is forbidden'),
    })
    expect((await send(exec, as, 'POST')).code).toBe(403)
    expect((await send(exec, SPDY, 'GET', 'Bearer wrong')).code).toBe(401)
    expect(runs).toEqual([])
  })

  it('is refused to callers in this process, which have no connection', async () => {
    const { status } = await server.handler({
      method: 'GET',
      path: exec.split('?')[0]!,
      query: new URLSearchParams('command=x&stdout=1'),
      headers: {},
    })
    expect(status).toBe(400)
    const alone = await ApiServer.start({ clock: new SimulatedClock() })
    const { status: none } = await alone.handlerFor(ADMIN)({
      method: 'PUT',
      path: exec.split('?')[0]!,
      query: new URLSearchParams(),
      headers: {},
    })
    expect(none).toBe(405)
    await alone.close()
  })

  it('loses its connection after a refusal, also if the client does not hang up', async () => {
    const hasty = await server.listen({ idleTimeout: 1_000 })
    for (const path of ['/nothing', exec]) {
      const options: ConnectionOptions & { allowHalfOpen: boolean } = {
        port: hasty.port,
        host: '127.0.0.1',
        ca: hasty.certificateAuthority,
        allowHalfOpen: true,
      }
      const socket = connect(options)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${hasty.token}\r\n`)
      socket.write('connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: none\r\n\r\n')
      let text = ''
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.on('error', () => undefined)
      // Writing to a closed connection shows that it is closed.
      const writing = setInterval(() => socket.write('x'), 300)
      await new Promise((resolve) => socket.once('close', resolve))
      clearInterval(writing)
      expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    }
  })

  it('answers other requests that ask for an upgrade as usual', async () => {
    const { code, body } = await send('/version', { connection: 'Upgrade', upgrade: 'h2c' })
    expect(code).toBe(200)
    expect(JSON.parse(body).major).toBe('1')
    expect(
      (await send('/version', { connection: 'Upgrade', upgrade: 'h2c', 'content-length': '0' }, 'GET')).code,
    ).toBe(200)
  })
})

describe('a connection of SPDY over the port', () => {
  it('ends when the client does not open its streams', async () => {
    const clock = new SimulatedClock()
    await server.close()
    server = await ApiServer.start({ podStreams, clock })
    port = await server.listen()
    await prepare()
    const { code, socket } = await send(pathOf('exec', 'command=cat&stdout=1'), SPDY, 'POST')
    expect(code).toBe(101)
    socket!.resume()
    const closed = new Promise((resolve) => socket!.once('close', resolve))
    await clock.advance('29s')
    expect(socket!.destroyed).toBe(false)
    await clock.advance('12s')
    await closed
    expect(runs).toEqual([])
  })

  it('is upgraded to the first version that both support', async () => {
    const headers = {
      ...SPDY,
      'x-stream-protocol-version': 'v7.channel.k8s.io, v4.channel.k8s.io, v5.channel.k8s.io',
    }
    const { code, body, socket } = await send(pathOf('exec', 'command=cat&stdout=1'), headers, 'POST')
    expect(code).toBe(101)
    expect(body).toBe('v4.channel.k8s.io')
    socket!.destroy()
  })

  it.each([
    ['garbage', Buffer.alloc(100_000, 0xfe)],
    ['headers that are not zlib', Buffer.from('800300010000000e0000000100000000000061626364', 'hex')],
    ['a control frame that is too long', Buffer.from('8003000100ffffff', 'hex')],
  ])('ends after %s, and others are served', async (_what, bytes) => {
    const { socket } = await send(pathOf('exec', 'command=cat&stdout=1'), SPDY, 'POST')
    socket!.on('error', () => undefined)
    socket!.resume()
    socket!.write(bytes)
    await new Promise((resolve) => socket!.once('close', resolve))
    expect((await send('/version', {})).code).toBe(200)
  })
})
