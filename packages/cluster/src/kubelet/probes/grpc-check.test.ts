import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { CheckResult } from './check.ts'
import { checkGrpc } from './grpc-check.ts'

let server: Http2Server | undefined

afterEach(() => new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve())))

async function listen(handle: (stream: ServerHttp2Stream, body: Buffer) => void): Promise<number> {
  server = createServer()
  server.on('stream', (stream: ServerHttp2Stream) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => handle(stream, Buffer.concat(chunks)))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** Answers as gRPC does: a frame, and the outcome after it. */
function answer(stream: ServerHttp2Stream, state: number): void {
  stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  const message = state === 0 ? [] : [0x08, state]
  stream.end(Buffer.from([0, 0, 0, 0, message.length, ...message]))
}

function check(port: number, service = '', signal = new AbortController().signal): Promise<CheckResult> {
  return checkGrpc({ host: '127.0.0.1', port, shown: `10.244.0.2:${port}` }, service, 1, signal)
}

describe('a grpc probe', () => {
  it('succeeds when the service that it names is serving', async () => {
    let asked: Uint8Array = new Uint8Array()
    const port = await listen((stream, body) => {
      asked = body
      answer(stream, 1)
    })
    expect(await check(port, 'web')).toEqual({ outcome: 'success', message: '' })
    expect([...asked]).toEqual([0, 0, 0, 0, 5, 0x0a, 3, ...Buffer.from('web')])
  })

  it.each([
    [2, 'NOT_SERVING'],
    [0, 'UNKNOWN'],
  ])('fails when it answers %i', async (state, shown) => {
    const port = await listen((stream) => answer(stream, state))
    expect(await check(port)).toEqual({
      outcome: 'failure',
      message: `service unhealthy (responded with "${shown}")`,
    })
  })

  it('fails on a server that does not know the protocol', async () => {
    const port = await listen((stream) => {
      stream.respond({ 'grpc-status': '12', 'grpc-message': 'unknown 100% service' }, { endStream: true })
    })
    expect((await check(port)).message).toBe(
      'error: this server does not implement the grpc health protocol (grpc.health.v1.Health): unknown 100% service',
    )
  })

  it('fails where nothing listens', async () => {
    const port = await listen(() => undefined)
    await new Promise<void>((resolve) => server?.close(() => resolve()))
    server = undefined
    expect((await check(port)).message).toBe(
      `timeout: failed to connect service "10.244.0.2:${port}" within 1s: context deadline exceeded`,
    )
  })

  it('fails after its timeout', async () => {
    const stop = new AbortController()
    const port = await listen(() => stop.abort())
    expect((await check(port, '', stop.signal)).message).toBe(
      'timeout: health rpc did not complete within 1s',
    )
  })
})
