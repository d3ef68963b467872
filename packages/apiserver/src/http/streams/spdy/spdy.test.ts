import { constants, createDeflate, inflateSync } from 'node:zlib'
import { once } from 'node:events'
import { duplexPair, type Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER_DICTIONARY } from './dictionary.ts'
import { CONTROL, controlFrame, dataFrame, FLAG_FIN, numbersFrame, RESET } from './frame.ts'
import { FrameReader, type Frame } from './frame-reader.ts'
import { noHeaders, readHeaders } from './header-block.ts'
import { HeaderInflater } from './header-inflater.ts'
import { SpdyConnection, type SpdyStream } from './spdy-connection.ts'

/** Compresses blocks of headers as a client does: all of a connection in one zlib stream. */
class HeaderDeflater {
  readonly #deflate = createDeflate({ dictionary: HEADER_DICTIONARY })

  async write(headers: Readonly<Record<string, string>>): Promise<Buffer> {
    return this.compress(blockOf(headers))
  }

  async compress(block: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = []
    const take = (piece: Buffer): void => void pieces.push(piece)
    this.#deflate.on('data', take)
    this.#deflate.write(block)
    await new Promise<void>((resolve) => this.#deflate.flush(constants.Z_SYNC_FLUSH, () => resolve()))
    this.#deflate.off('data', take)
    return Buffer.concat(pieces)
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function blockOf(headers: Readonly<Record<string, string>>): Buffer {
  const words = Object.entries(headers).flat()
  return Buffer.concat([
    number(words.length / 2),
    ...words.flatMap((word) => [number(Buffer.byteLength(word)), Buffer.from(word)]),
  ])
}

describe('the frames of SPDY', () => {
  const frames = Buffer.concat([
    controlFrame(
      CONTROL.synStream,
      FLAG_FIN,
      Buffer.concat([number(1), number(0), Buffer.from([0, 0]), Buffer.from('block')]),
    ),
    dataFrame(1, Buffer.from('hello'), false),
    dataFrame(1, Buffer.alloc(0), true),
    numbersFrame(CONTROL.ping, 3),
    numbersFrame(CONTROL.rstStream, 1, RESET.cancel),
    numbersFrame(CONTROL.settings, 0),
    numbersFrame(CONTROL.windowUpdate, 1, 65_536),
    numbersFrame(CONTROL.goAway, 1, 0),
  ])

  function read(bytes: Buffer, size: number): Frame[] {
    const reader = new FrameReader()
    const all: Frame[] = []
    for (let at = 0; at < bytes.length; at += size) all.push(...reader.read(bytes.subarray(at, at + size)))
    return all
  }

  it('are read however they are cut', () => {
    const whole = read(frames, frames.length)
    expect(whole.map((frame) => frame.type)).toEqual([
      'open',
      'data',
      'data',
      'ping',
      'reset',
      'ignored',
      'ignored',
      'goAway',
    ])
    expect(whole[0]).toMatchObject({ stream: 1, fin: true, block: Buffer.from('block') })
    for (let size = 1; size < 20; size++) {
      const cut = read(frames, size)
      const text = cut
        .flatMap((frame) => (frame.type === 'data' ? [Buffer.from(frame.data).toString()] : []))
        .join('')
      expect(text).toBe('hello')
      expect(cut.filter((frame) => frame.type !== 'data')).toEqual(
        whole.filter((frame) => frame.type !== 'data'),
      )
      expect(cut.filter((frame) => frame.type === 'data' && frame.fin)).toHaveLength(1)
    }
  })

  it('pass data on before the frame is complete', () => {
    const reader = new FrameReader()
    const header = dataFrame(1, Buffer.alloc(0), false)
    header.writeUIntBE(0xffffff, 5, 3)
    expect([...reader.read(header)]).toEqual([])
    expect([...reader.read(Buffer.from('abc'))]).toMatchObject([{ type: 'data', stream: 1, fin: false }])
  })

  it.each([
    ['of another version', Buffer.from([0x80, 2, 0, 1, 0, 0, 0, 0]), /version 2/],
    ['that is too long', Buffer.from([0x80, 3, 0, 1, 0, 0xff, 0xff, 0xff]), /16777215 bytes/],
    ['that is too short', numbersFrame(CONTROL.rstStream, 1), /too short/],
    ['of no known type', numbersFrame(42, 1), /type 42/],
  ])('refuse a control frame %s', (_what, bytes, message) => {
    expect(() => [...new FrameReader().read(bytes)]).toThrow(message)
  })
})

describe('the headers of SPDY', () => {
  it('have the dictionary that the protocol fixes', () => {
    expect(HEADER_DICTIONARY).toHaveLength(1423)
  })

  it('are read in the order in which they were compressed', async () => {
    const deflater = new HeaderDeflater()
    using inflater = new HeaderInflater()
    for (const streamtype of ['error', 'stdin', 'stdout', 'stdout', 'error']) {
      const block = await deflater.write({ streamtype, port: '8080' })
      expect([...readHeaders(await inflater.read(block))]).toEqual([
        ['streamtype', streamtype],
        ['port', '8080'],
      ])
    }
  })

  it('are refused when they are not compressed, or decompress to too much', async () => {
    using garbage = new HeaderInflater()
    await expect(garbage.read(Buffer.from('not zlib at all'))).rejects.toThrow(/cannot be decompressed/)
    using bomb = new HeaderInflater()
    const block = await new HeaderDeflater().compress(Buffer.alloc(64 * 1_048_576))
    expect(block.length).toBeLessThan(65_536 * 2)
    await expect(bomb.read(block)).rejects.toThrow(/longer than/)
  })

  it.each([
    ['too many', number(1_000_000), /1000000 headers/],
    ['a name that is longer than the block', Buffer.concat([number(1), number(0xffffffff)]), /ends within/],
    ['a block that ends', number(1), /ends within/],
  ])('are refused with %s', (_what, block, message) => {
    expect(() => readHeaders(block)).toThrow(message)
  })

  it('of a reply are empty, in a form that needs no state', () => {
    // An empty last block ends the compressed stream.
    const all = Buffer.concat([
      noHeaders(true),
      noHeaders(false),
      Buffer.from([1, 0, 0, 0xff, 0xff, 0, 8, 0, 1]),
    ])
    expect(inflateSync(all)).toEqual(Buffer.alloc(8))
  })
})

describe('a connection of SPDY', () => {
  let client: Duplex
  let server: Duplex
  let connection: SpdyConnection
  let streams: SpdyStream[]
  let serving: Promise<void>
  let deflater: HeaderDeflater
  let frames: AsyncGenerator<Frame>

  beforeEach(() => {
    ;[client, server] = duplexPair()
    streams = []
    deflater = new HeaderDeflater()
    connection = new SpdyConnection(server, (stream) => {
      if (stream.headers.get('streamtype') === 'bad') throw new Error('no such stream')
      streams.push(stream)
      return undefined
    })
    serving = connection.serve()
    serving.catch(() => undefined)
    frames = received(client)
  })
  afterEach(() => client.destroy())

  async function* received(from: Duplex): AsyncGenerator<Frame> {
    const reader = new FrameReader()
    for await (const chunk of from as AsyncIterable<Buffer>) yield* reader.read(chunk)
  }

  async function open(id: number, headers: Record<string, string>, flags = 0): Promise<void> {
    const block = await deflater.write(headers)
    client.write(
      controlFrame(
        CONTROL.synStream,
        flags,
        Buffer.concat([number(id), number(0), Buffer.from([0, 0]), block]),
      ),
    )
  }

  const next = async (): Promise<Frame> => (await frames.next()).value as Frame

  it('carries a stream in both directions, each with its own end', async () => {
    await open(1, { streamtype: 'data' })
    expect(await next()).toMatchObject({ type: 'headers', stream: 1 })
    const [stream] = streams
    client.write(dataFrame(1, Buffer.from('ping'), false))
    client.write(dataFrame(1, Buffer.alloc(0), true))
    expect(await text(stream!.incoming.readable)).toBe('ping')
    await stream!.write(Buffer.from('pong'))
    expect(await next()).toMatchObject({ type: 'data', data: Buffer.from('pong'), fin: false })
    stream!.end()
    expect(await next()).toMatchObject({ type: 'data', fin: true })
    expect(await stream!.write(Buffer.from('too late'))).toBeUndefined()
    connection.close()
    expect(await next()).toMatchObject({ type: 'goAway' })
    client.end()
    await serving
  })

  it('answers pings of the client, and not the answers to its own', async () => {
    connection.ping()
    client.write(numbersFrame(CONTROL.ping, 2))
    client.write(numbersFrame(CONTROL.ping, 7))
    expect(await next()).toEqual({ type: 'ping', id: 2 })
    expect(await next()).toEqual({ type: 'ping', id: 7 })
  })

  it('fails the reader of a stream that the client resets, or when the client disconnects', async () => {
    await open(1, { streamtype: 'a' })
    await open(3, { streamtype: 'b' })
    await next()
    await next()
    const [first, second] = streams
    client.write(numbersFrame(CONTROL.rstStream, 1, RESET.cancel))
    await expect(text(first!.incoming.readable)).rejects.toThrow(/reset/)
    expect(first!.signal.aborted).toBe(true)
    expect(second!.signal.aborted).toBe(false)
    client.end()
    await serving
    await expect(text(second!.incoming.readable)).rejects.toThrow(/closed/)
  })

  it('resets a stream of an unknown type', async () => {
    await open(1, { streamtype: 'bad' })
    expect(await next()).toEqual({ type: 'reset', stream: 1, status: RESET.cancel })
  })

  it('stops reading while a stream is not read, and continues when it is', async () => {
    await open(1, { streamtype: 'data' })
    await next()
    let taken = 0
    const flood = (async () => {
      for (let i = 0; i < 200; i++) {
        if (!client.write(dataFrame(1, Buffer.alloc(32_768), i === 199))) await once(client, 'drain')
        taken++
      }
    })()
    await new Promise((resolve) => setImmediate(resolve))
    expect(taken).toBeLessThan(50)
    expect((await bytes(streams[0]!.incoming.readable)).length).toBe(200 * 32_768)
    await flood
  })

  it('makes the writer wait for a client that does not read', async () => {
    await open(1, { streamtype: 'data' })
    await next()
    let written = 0
    const writing = (async () => {
      for (let i = 0; i < 100; i++) {
        await streams[0]!.write(Buffer.alloc(100_000))
        written++
      }
    })()
    await new Promise((resolve) => setImmediate(resolve))
    expect(written).toBeLessThan(10)
    let length = 0
    while (length < 10_000_000) {
      const frame = await next()
      if (frame.type === 'data') length += frame.data.length
    }
    await writing
  })

  it('refuses more streams than its limit, and forgets those that have ended', async () => {
    const drained = (async () => {
      let refused = 0
      for await (const frame of frames)
        if (frame.type === 'reset' && frame.status === RESET.refusedStream) refused++
      return refused
    })()
    for (let i = 0; i < 1_100; i++) await open(2 * i + 1, { streamtype: 'data' })
    client.write(numbersFrame(CONTROL.ping, 1))
    await expect.poll(() => streams.length).toBe(1_000)
    for (const stream of streams) stream.end()
    for (let i = 0; i < 1_100; i++) client.write(dataFrame(2 * i + 1, Buffer.alloc(0), true))
    await open(5_001, { streamtype: 'data' })
    await expect.poll(() => streams.length).toBe(1_001)
    connection.close()
    client.end()
    expect(await drained).toBe(100)
    await serving
  })

  it.each([
    ['an even number', 2],
    ['no number', 0],
  ])('ends when a stream has %s', async (_what, id) => {
    await open(id, {})
    await expect(serving).rejects.toThrow(/cannot have the number/)
  })

  it('ends when it is sent garbage', async () => {
    client.write('GET / HTTP/1.1\r\n\r\n'.repeat(10))
    client.write(Buffer.from([0x80, 9, 0, 0, 0, 0, 0, 0]))
    client.write(Buffer.alloc(1_000_000_0, 0xff))
    client.on('error', () => undefined)
    await expect(serving).rejects.toThrow(/version|type|bytes/)
  })
})

async function bytes(readable: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of readable as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function text(readable: ReadableStream<Uint8Array>): Promise<string> {
  return (await bytes(readable)).toString()
}
