import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { OwnedBytes } from '../http/index.ts'
import { sendAnswer } from './send-answer.ts'

const LENGTH = 4 * 1024 * 1024

/** Sends an answer to a client, and returns what the client has read once the server is done with it. */
async function sent(body: Uint8Array | AsyncIterable<Uint8Array>): Promise<Buffer> {
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { signal } = new AbortController()
    const options = { idleTimeout: 60_000, compresses: false }
    void sendAnswer(outgoing, { status: 200, headers: {}, body }, incoming, signal, options)
    outgoing.on('close', () => server.close())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed = once(server, 'close')
  const asked = get({ host: '127.0.0.1', port, agent: false })
  const [incoming] = (await once(asked, 'response')) as [IncomingMessage]
  const read = await buffer(incoming)
  await closed
  return read
}

function bytes(): OwnedBytes {
  return OwnedBytes.joining([new Uint8Array(LENGTH - 1).fill(7), new Uint8Array([8])])
}

test('bytes that only the answer has are freed once the client has them', async () => {
  const body = bytes()
  const read = await sent(body)
  expect(read.equals(Buffer.from(bytes()))).toBe(true)
  expect(body.length).toBe(0)
})

test('chunks of a stream are freed one by one', async () => {
  const chunks = [bytes(), bytes()]
  async function* stream(): AsyncGenerator<Uint8Array> {
    yield* chunks
  }
  const read = await sent(stream())
  expect(read.equals(Buffer.concat([bytes(), bytes()]))).toBe(true)
  expect(chunks.map(({ length }) => length)).toEqual([0, 0])
})

test('other bytes are kept, since they may be sent again', async () => {
  const body = Uint8Array.from(bytes())
  await sent(body)
  expect(body.length).toBe(LENGTH)
})
