import { SpdyError } from './spdy-error.ts'

/** Headers by their names in lower case, with their first value. */
export type Headers = ReadonlyMap<string, string>

const MOST_HEADERS = 64

/** Parses a decompressed block of headers. */
export function readHeaders(block: Buffer): Headers {
  let at = 0
  const number = (): number => {
    if (at + 4 > block.length) throw new SpdyError('a block of headers ends within a header')
    at += 4
    return block.readUInt32BE(at - 4)
  }
  const text = (): string => {
    const length = number()
    if (length > block.length - at) throw new SpdyError('a block of headers ends within a header')
    at += length
    return block.toString('utf8', at - length, at)
  }
  const count = number()
  if (count > MOST_HEADERS)
    throw new SpdyError(`a stream with ${count} headers: at most ${MOST_HEADERS} are allowed`)
  const headers = new Map<string, string>()
  for (let index = 0; index < count; index++) {
    const name = text().toLowerCase()
    const [value = ''] = text().split('\0')
    headers.set(name, value)
  }
  return headers
}

/** The beginning of a stream of zlib, of a kind that needs no dictionary. */
const ZLIB = [0x78, 0x01]
/** A block without headers: a stored block with the count 0, and an empty block, which marks the end. */
const NO_HEADERS = [0x00, 0x04, 0x00, 0xfb, 0xff, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff]

/**
 * A compressed block without headers, as in all replies of this server. It is stored rather than compressed, so that
 * the only state is whether it is the connection's first.
 */
export function noHeaders(first: boolean): Buffer {
  return Buffer.from(first ? [...ZLIB, ...NO_HEADERS] : NO_HEADERS)
}
