import { CONTROL, FLAG_FIN } from './frame.ts'
import { SpdyError } from './spdy-error.ts'

/** A frame of the peer. Frames that this side ignores have only their type. */
export type Frame =
  /** A piece of a data frame, of any length; `fin` comes with the last piece of the last frame. */
  | { readonly type: 'data'; readonly stream: number; readonly data: Uint8Array; readonly fin: boolean }
  /** `block` is the compressed headers, which must be read in the order in which they come. */
  | { readonly type: 'open'; readonly stream: number; readonly block: Uint8Array; readonly fin: boolean }
  | { readonly type: 'headers'; readonly stream: number; readonly block: Uint8Array; readonly fin: boolean }
  | { readonly type: 'reset'; readonly stream: number; readonly status: number }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'goAway' }
  | { readonly type: 'ignored' }

const HEADER_LENGTH = 8
/** Far longer than any client's headers. */
const LONGEST_CONTROL_FRAME = 65_536
const VERSION = 3

/**
 * Splits a stream of bytes into frames. Data is passed on as it arrives, however long its frame is. A control frame
 * is buffered until it is complete, so that a long one is refused. A reader that has thrown must not be used again.
 */
export class FrameReader {
  /** The incomplete part: a frame's header, or a control frame. */
  #held: Buffer = Buffer.alloc(0)
  /** The data frame that is being passed on. */
  #data: { readonly stream: number; readonly fin: boolean; left: number } | undefined;

  /** The frames that these bytes complete, and the pieces of data in them. */
  *read(bytes: Uint8Array): Generator<Frame, void, undefined> {
    let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    while (rest.length > 0) {
      if (this.#data) {
        const piece = rest.subarray(0, this.#data.left)
        rest = rest.subarray(piece.length)
        yield this.#piece(this.#data, piece)
        continue
      }
      const missing = this.#missing(rest)
      this.#held =
        this.#held.length === 0
          ? rest.subarray(0, missing)
          : Buffer.concat([this.#held, rest.subarray(0, missing)])
      rest = rest.subarray(missing)
      const frame = this.#whole()
      if (frame) yield frame
    }
    // The chunk may be large, and belongs to the caller.
    this.#held = Buffer.from(this.#held)
  }

  #piece(data: { readonly stream: number; readonly fin: boolean; left: number }, piece: Uint8Array): Frame {
    data.left -= piece.length
    const last = data.left === 0
    if (last) this.#data = undefined
    return { type: 'data', stream: data.stream, data: piece, fin: last && data.fin }
  }

  /** How many of the bytes belong to the buffered frame. */
  #missing(rest: Buffer): number {
    const wanted = this.#held.length < HEADER_LENGTH ? HEADER_LENGTH : HEADER_LENGTH + lengthOf(this.#held)
    return Math.min(rest.length, wanted - this.#held.length)
  }

  /** The buffered frame, if it is complete. */
  #whole(): Frame | undefined {
    const held = this.#held
    if (held.length < HEADER_LENGTH) return undefined
    const length = lengthOf(held)
    if ((held.readUInt8(0) & 0x80) === 0) {
      this.#held = Buffer.alloc(0)
      const stream = held.readUInt32BE(0)
      const fin = (held.readUInt8(4) & FLAG_FIN) !== 0
      if (length === 0) return { type: 'data', stream, data: held.subarray(0, 0), fin }
      this.#data = { stream, fin, left: length }
      return undefined
    }
    const version = held.readUInt16BE(0) & 0x7fff
    if (version !== VERSION) throw new SpdyError(`a frame of version ${version}: only version 3 is supported`)
    if (length > LONGEST_CONTROL_FRAME) {
      throw new SpdyError(`a control frame of ${length} bytes: at most ${LONGEST_CONTROL_FRAME} are allowed`)
    }
    if (held.length < HEADER_LENGTH + length) return undefined
    this.#held = Buffer.alloc(0)
    return controlFrame(held.readUInt16BE(2), held.readUInt8(4), held.subarray(HEADER_LENGTH))
  }
}

function lengthOf(header: Buffer): number {
  return header.readUIntBE(5, 3)
}

function controlFrame(type: number, flags: number, payload: Buffer): Frame {
  const fin = (flags & FLAG_FIN) !== 0
  switch (type) {
    case CONTROL.synStream:
      return { type: 'open', stream: streamOf(payload), block: after(payload, 10), fin }
    case CONTROL.synReply:
    case CONTROL.headers:
      return { type: 'headers', stream: streamOf(payload), block: after(payload, 4), fin }
    case CONTROL.rstStream:
      return { type: 'reset', stream: streamOf(payload), status: number(payload, 4) }
    case CONTROL.ping:
      return { type: 'ping', id: number(payload, 0) }
    case CONTROL.goAway:
      return { type: 'goAway' }
    case CONTROL.settings:
    case CONTROL.windowUpdate:
      return { type: 'ignored' }
    default:
      throw new SpdyError(`a control frame of the unknown type ${type}`)
  }
}

function streamOf(payload: Buffer): number {
  return number(payload, 0) & 0x7fffffff
}

function number(payload: Buffer, at: number): number {
  after(payload, at + 4)
  return payload.readUInt32BE(at)
}

function after(payload: Buffer, length: number): Buffer {
  if (payload.length < length) throw new SpdyError(`a control frame of ${payload.length} bytes is too short`)
  return payload.subarray(length)
}
