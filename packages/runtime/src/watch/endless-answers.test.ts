import type http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve, transportTo } from '../../test/network.ts'
import { ConfigMap } from '../../test/scripted-api.ts'
import { createClient } from '../client/create-client.ts'
import { isForbidden, isGone } from '../requests/api-error.ts'
import type { Transport } from '../transport/transport.ts'
import { ObjectReader } from '../json/object-reader.ts'
import { readList } from './read-list.ts'
import { watchStream } from './watch-stream.ts'

const MEBIBYTE = 1024 * 1024
/** How much a server of these tests sends at most. A client without a limit would read all of it. */
const ENDLESS = 64 * MEBIBYTE

/** Sends the same bytes until the client closes the connection, and counts them. */
async function pour(target: NodeJS.WritableStream, bytes: string): Promise<number> {
  const chunk = Buffer.from(bytes.repeat(Math.ceil(65_536 / bytes.length)))
  const state = { closed: false }
  let wake = (): void => {}
  target.on('drain', () => wake())
  for (const end of ['close', 'error']) {
    target.on(end, () => {
      state.closed = true
      wake()
    })
  }
  let sent = 0
  while (!state.closed && sent < ENDLESS) {
    sent += chunk.length
    if (!target.write(chunk) && !state.closed) await new Promise<void>((resolve) => (wake = resolve))
  }
  return sent
}

/** A server that answers every request with this beginning and then endlessly more. */
async function endless(begin: string, more: string, status = 200) {
  const sent: Promise<number>[] = []
  const answer = (_: http.IncomingMessage, response: http.ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.write(begin)
    sent.push(pour(response, more))
  }
  const { config } = await serve(answer, { plain: true })
  return { transport: transportTo(config), sent: async () => Math.max(...(await Promise.all(sent))) }
}

const options = (transport: Transport) => ({
  transport,
  kind: ConfigMap,
  clock: new SimulatedClock(),
  reader: new ObjectReader(),
})
const watch = (transport: Transport): Promise<unknown> =>
  watchStream({ ...options(transport), resourceVersion: '1' }, () => undefined)
const list = (transport: Transport): Promise<unknown> => readList(options(transport))
const get = (transport: Transport): Promise<unknown> =>
  createClient({ transport, clock: new SimulatedClock(), maxAnswerBytes: MEBIBYTE }).get(ConfigMap, {
    namespace: 'default',
    name: 'a',
  })

const ITEM = '{"kind":"ConfigMapList","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"'

describe('W13: an endless answer is not kept without a limit', () => {
  it.each([
    [
      'a line of a watch',
      watch,
      '{"type":"ADDED","object":{"metadata":{"name":"',
      'a',
      16,
      'WATCH_LINE_TOO_LONG',
    ],
    ['an item of a list', list, ITEM, 'a', 16, 'LIST_BROKEN_OFF'],
    ['what a list says besides', list, '{"metadata":{"continue":"', 'a', 1, 'LIST_BROKEN_OFF'],
    ['text instead of a list', list, '', '<p>', 1, 'LIST_BROKEN_OFF'],
    ['an answer', get, '{"data":{"a":"', 'a', 1, 'TRANSPORT_ANSWER_TOO_LARGE'],
  ])('%s', async (_, ask, begin, more, limit, code) => {
    const { transport, sent } = await endless(begin, more)
    await expect(ask(transport)).rejects.toMatchObject({ code })
    // The buffers of the sockets hold some more bytes.
    expect(await sent()).toBeLessThan((limit + 16) * MEBIBYTE)
  })

  it.each([
    ['a watch', watch],
    ['a list', list],
    ['a request', get],
  ])('the refusal of %s, whose code still counts', async (_, ask) => {
    for (const [status, is] of [
      [403, isForbidden],
      [410, isGone],
    ] as const) {
      const { transport, sent } = await endless('{"kind":"Status","message":"', 'a', status)
      await expect(ask(transport)).rejects.toSatisfy(is)
      expect(await sent()).toBeLessThan(19 * MEBIBYTE)
    }
  })

  it.each([
    ['a header', 'HTTP/1.1 200 OK\r\nx: ', 'a'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'x: a\r\n'],
    ['a status line', 'HTTP/1.1 200 ', 'a'],
    ['the size of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1'],
    ['what follows the size of a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;', 'a'],
    ['text that is not HTTP', '', 'a'],
  ])('%s of any answer', async (_, begin, more) => {
    const sent: Promise<number>[] = []
    const server = net.createServer((socket) => {
      socket.resume().on('error', () => {})
      socket.write(begin)
      sent.push(pour(socket, more))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const transport = transportTo({
      server: `http://127.0.0.1:${port}`,
      tls: {},
      namespace: 'default',
      source: 'a test',
    })
    for (const ask of [watch, list, get]) {
      await expect(ask(transport)).rejects.toThrow()
    }
    expect(Math.max(...(await Promise.all(sent)))).toBeLessThan(16 * MEBIBYTE)
  })
})
