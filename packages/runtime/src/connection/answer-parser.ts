import { cutOff } from './explain-failure.ts'

/** The head of an answer. Names of headers are in lower case. */
export interface AnswerHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** Gets the parts of an answer one by one. The memory of the bytes is used again after the call returns. */
export interface AnswerTaker {
  head(head: AnswerHead): void
  body(bytes: Uint8Array): void
  end(): void
}

/** The limit that Node's parser is given for large headers. */
const MOST_HEAD_BYTES = 65_536
const MOST_LINE_BYTES = 1_024
const [CARRIAGE_RETURN, LINE_FEED] = [13, 10]
const PROTOCOL = 'HTTP/1.'
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})(?: |$)/
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/
const CHUNK_SIZE = /^([\da-fA-F]{1,12})[ \t]*(?:;|$)/

/** The part of the answer that comes next in the bytes. */
type State = 'head' | 'chunk size' | 'chunk' | 'chunk end' | 'trailer' | 'counted' | 'until closed' | 'over'

/**
 * Reads one answer of HTTP/1.1 from the bytes of a connection. Node's own parser, with two stacked streams, costs
 * more for an event of a watch than all processing of the event.
 */
export class AnswerParser {
  readonly #taker: AnswerTaker
  #state: State = 'head'
  /** The beginning of a head or line that is not complete yet. */
  #text = ''
  /** How many bytes of the chunk, or of the body, are still missing. */
  #left = 0

  constructor(taker: AnswerTaker) {
    this.#taker = taker
  }

  /** Whether the answer is complete. */
  get complete(): boolean {
    return this.#state === 'over'
  }

  /** Parses the next bytes. Throws where they are not HTTP. */
  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length && this.#state !== 'over') at = this.#read(bytes, at)
  }

  /** Called when the peer has closed the connection. Throws where the answer is not complete. */
  close(): void {
    if (this.#state === 'until closed') this.#finish()
    else if (this.#state !== 'over') throw cutOff()
  }

  /** Reads from `at`, and returns where it stopped. */
  #read(bytes: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'chunk':
      case 'counted':
        return this.#readCounted(bytes, at)
      case 'until closed':
        this.#taker.body(at === 0 ? bytes : bytes.subarray(at))
        return bytes.length
      default:
        return this.#readLine(bytes, at)
    }
  }

  #readCounted(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + this.#left)
    this.#left -= end - at
    this.#taker.body(bytes.subarray(at, end))
    if (this.#left === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk end'
      else this.#finish()
    }
    return end
  }

  #readLine(bytes: Uint8Array, at: number): number {
    const feed = bytes.indexOf(LINE_FEED, at)
    const end = feed < 0 ? bytes.length : feed
    this.#text += latin1(bytes, at, end)
    const limit = this.#state === 'head' ? MOST_HEAD_BYTES : MOST_LINE_BYTES
    if (this.#text.length > limit) throw notHttp(`more than ${limit} bytes of a ${this.#state}`)
    if (this.#state === 'head' && !isBeginning(this.#text)) throw notHttp('something other than HTTP')
    if (feed >= 0) this.#lineEnded()
    return end + 1
  }

  /** Handles a complete line, which is in `#text`. */
  #lineEnded(): void {
    if (this.#state === 'head') {
      // A head is read as a whole, by its empty line.
      if (!this.#text.endsWith('\n\r') && !this.#text.endsWith('\n')) this.#text += '\n'
      else this.#readHead()
      return
    }
    const line = withoutReturn(this.#text)
    this.#text = ''
    if (this.#state === 'chunk end' && line === '') this.#state = 'chunk size'
    else if (this.#state === 'chunk size') this.#readChunkSize(line)
    else if (this.#state === 'trailer') {
      if (line === '') this.#finish()
    } else throw notHttp('a chunk that is longer than its size line says')
  }

  #readChunkSize(line: string): void {
    const size = CHUNK_SIZE.exec(line)?.[1]
    if (size === undefined) throw notHttp('a chunk without its size')
    this.#left = Number.parseInt(size, 16)
    this.#state = this.#left === 0 ? 'trailer' : 'chunk'
  }

  #readHead(): void {
    const [first = '', ...lines] = this.#text.split('\n').map(withoutReturn)
    this.#text = ''
    const status = Number(STATUS_LINE.exec(first)?.[1])
    if (!status) throw notHttp('an answer without a status')
    const headers = headersOf(lines.filter((line) => line !== ''))
    // An informational answer: the final one follows.
    if (status < 200) return
    this.#state = bodyOf(status, headers)
    if (this.#state === 'counted') {
      this.#left = Number(headers['content-length'])
      if (this.#left === 0) this.#state = 'over'
    }
    this.#taker.head({ status, headers })
    if (this.#state === 'over') this.#taker.end()
  }

  #finish(): void {
    this.#state = 'over'
    this.#taker.end()
  }
}

function bodyOf(status: number, headers: Readonly<Record<string, string>>): State {
  const { 'transfer-encoding': encoding, 'content-length': length } = headers
  if (status === 204 || status === 304) return 'over'
  if (encoding !== undefined) return /(?:^|[ ,])chunked$/i.test(encoding) ? 'chunk size' : 'until closed'
  if (length === undefined) return 'until closed'
  if (!/^\d{1,15}$/.test(length)) throw notHttp('a content-length that is not a number')
  return 'counted'
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = HEADER_LINE.exec(line) ?? []
    if (name === undefined || value === undefined) throw notHttp('a header without a name')
    const key = name.toLowerCase()
    headers[key] = Object.hasOwn(headers, key) ? `${headers[key]}, ${value}` : value
  }
  return headers
}

/** Whether the text can be the beginning of an answer's head. */
function isBeginning(text: string): boolean {
  return text.length < PROTOCOL.length ? PROTOCOL.startsWith(text) : text.startsWith(PROTOCOL)
}

function withoutReturn(line: string): string {
  return line.charCodeAt(line.length - 1) === CARRIAGE_RETURN ? line.slice(0, -1) : line
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
}

/** The code of Node's error for bytes that are not HTTP. */
function notHttp(what: string): Error {
  return Object.assign(new Error(`the server sent ${what}`), { code: 'HPE_INVALID_CONSTANT' })
}
