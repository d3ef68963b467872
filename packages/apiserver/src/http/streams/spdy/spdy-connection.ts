import type { Duplex } from 'node:stream'
import { HomeostatError } from '@homeostat/api'
import { Inlet, type Outlet } from './intake.ts'
import { CONTROL, controlFrame, dataFrame, numbersFrame, RESET } from './frame.ts'
import { FrameReader, type Frame } from './frame-reader.ts'
import { noHeaders, readHeaders, type Headers } from './header-block.ts'
import { HeaderInflater } from './header-inflater.ts'
import { SpdyError } from './spdy-error.ts'

/** A stream that the client opened. */
export interface SpdyStream extends Outlet {
  readonly headers: Headers
  /** The data that the client sends; it fails when the client resets the stream. */
  readonly incoming: Inlet
  /** Aborts when the client resets the stream or disconnects. */
  readonly signal: AbortSignal
}

/**
 * Called for each stream that the client opens. An exception refuses the stream. The returned function is called once
 * the stream may be written to.
 */
export type StreamListener = (stream: SpdyStream) => (() => void) | undefined

interface OpenStream extends SpdyStream {
  readonly lost: AbortController
  /** Whether the client may still send, and whether this side may. */
  receives: boolean
  sends: boolean
}

/** The most open streams; further ones are refused. */
const MOST_STREAMS = 1_000
/** Larger writes are cut, so that streams take turns. */
const LONGEST_DATA = 32_768
/** While more bytes than this wait for the client, the server reads nothing from it: answers would pile up. */
const MOST_WAITING = 1_048_576

/**
 * The server's side of a SPDY/3.1 connection. It has no flow control by windows, since Kubernetes' clients
 * have none: once the buffer of a stream that is not read is full, it blocks the whole connection. A client
 * that does not read makes the writer wait. Settings, priorities and windows are ignored.
 */
export class SpdyConnection {
  readonly #duplex: Duplex
  readonly #onStream: StreamListener
  readonly #streams = new Map<number, OpenStream>()
  #newest = 0
  #replied = false
  #pings = 0
  #drained: Promise<void> | undefined

  constructor(duplex: Duplex, onStream: StreamListener) {
    this.#duplex = duplex
    this.#onStream = onStream
  }

  /**
   * Serves the client's frames, in order, until it ends the connection. Rejects with a `SpdyError` when the client
   * violates the protocol. In both cases all streams have ended then.
   */
  async serve(): Promise<void> {
    const reader = new FrameReader()
    using headers = new HeaderInflater()
    try {
      for await (const chunk of this.#duplex as AsyncIterable<Buffer>) {
        for (const frame of reader.read(chunk)) await this.#take(frame, headers)
        if (this.#duplex.writableLength > MOST_WAITING) await this.#drain()
      }
    } finally {
      const gone = new HomeostatError('CONNECTION_CLOSED', 'the client closed the connection')
      for (const id of this.#streams.keys()) this.#lose(id, gone)
    }
  }

  /** Sends a ping. */
  ping(): void {
    // A server's pings have even numbers.
    this.#pings = (this.#pings % 0x3fff_fffe) + 2
    void this.#send(numbersFrame(CONTROL.ping, this.#pings))
  }

  /** Closes this side. Reads and discards what the client still sends, until it ends the connection. */
  close(): void {
    for (const stream of this.#streams.values()) {
      stream.end()
      stream.incoming.end()
    }
    void this.#send(numbersFrame(CONTROL.goAway, this.#newest, 0))
    this.#duplex.end()
  }

  async #take(frame: Frame, inflater: HeaderInflater): Promise<void> {
    switch (frame.type) {
      case 'data': {
        const stream = this.#streams.get(frame.stream)
        if (!stream?.receives) return
        await stream.incoming.write(frame.data)
        if (frame.fin) this.#received(frame.stream, stream)
        return
      }
      case 'open':
        this.#open(frame.stream, frame.fin, readHeaders(await inflater.read(frame.block)))
        return
      case 'headers':
        // These headers are not used, but must be decompressed: all headers share one compressed stream.
        readHeaders(await inflater.read(frame.block))
        return
      case 'reset':
        this.#lose(frame.stream, new HomeostatError('STREAM_RESET', 'the client reset the stream'))
        return
      case 'ping':
        if (frame.id % 2 === 1) void this.#send(numbersFrame(CONTROL.ping, frame.id))
        return
      default:
    }
  }

  #open(id: number, fin: boolean, headers: Headers): void {
    if (id % 2 === 0 || id <= this.#newest) throw new SpdyError(`a stream cannot have the number ${id}`)
    this.#newest = id
    if (this.#streams.size >= MOST_STREAMS) {
      void this.#send(numbersFrame(CONTROL.rstStream, id, RESET.refusedStream))
      return
    }
    const lost = new AbortController()
    const stream: OpenStream = {
      headers,
      incoming: new Inlet(),
      signal: lost.signal,
      lost,
      receives: true,
      sends: true,
      write: (bytes) => (stream.sends ? this.#write(id, stream, bytes) : undefined),
      end: () => {
        if (!stream.sends) return
        stream.sends = false
        void this.#send(dataFrame(id, new Uint8Array(), true))
        this.#forget(id, stream)
      },
    }
    this.#streams.set(id, stream)
    let begin: (() => void) | undefined
    try {
      begin = this.#onStream(stream)
    } catch (error) {
      this.#lose(id, error)
      void this.#send(numbersFrame(CONTROL.rstStream, id, RESET.cancel))
      return
    }
    const reply = Buffer.concat([numberOf(id), noHeaders(!this.#replied)])
    this.#replied = true
    void this.#send(controlFrame(CONTROL.synReply, 0, reply))
    if (fin) this.#received(id, stream)
    begin?.()
  }

  async #write(id: number, stream: OpenStream, bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length && stream.sends; from += LONGEST_DATA) {
      const piece = bytes.subarray(from, from + LONGEST_DATA)
      await this.#send(dataFrame(id, piece, false))
    }
  }

  #received(id: number, stream: OpenStream): void {
    stream.receives = false
    stream.incoming.end()
    this.#forget(id, stream)
  }

  /** Removes a stream that has ended in both directions. */
  #forget(id: number, stream: OpenStream): void {
    if (!stream.receives && !stream.sends) this.#streams.delete(id)
  }

  #lose(id: number, error: unknown): void {
    const stream = this.#streams.get(id)
    if (!stream) return
    this.#streams.delete(id)
    stream.receives = false
    stream.sends = false
    stream.incoming.fail(error)
    stream.lost.abort(error)
  }

  /** Resolves when the connection accepts more, or has ended. */
  #send(frame: Buffer): Promise<void> | undefined {
    if (this.#duplex.destroyed || this.#duplex.writableEnded) return undefined
    return this.#duplex.write(frame) ? undefined : this.#drain()
  }

  #drain(): Promise<void> {
    if (this.#duplex.destroyed || !this.#duplex.writableNeedDrain) return Promise.resolve()
    if (this.#drained) return this.#drained
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = (): void => {
      this.#duplex.off('drain', done)
      this.#duplex.off('close', done)
      this.#drained = undefined
      resolve()
    }
    this.#duplex.on('drain', done)
    this.#duplex.on('close', done)
    this.#drained = promise
    return promise
  }
}

function numberOf(id: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(id)
  return bytes
}
