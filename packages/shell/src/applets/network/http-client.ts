import { type Clock, holdClock } from '@homeostat/api'
import type { Connection } from '../../host/connection.ts'
import { Input } from '../../process/input.ts'
import { unlessAborted } from '../../process/killed.ts'
import { decodeText, encodeText } from '../../text/text.ts'
import { AppletFailure } from '../context/applet-context.ts'

const MOST_HEADERS = 200

/** The answer of a server, before its body is read. */
export interface HttpAnswer {
  readonly status: number
  readonly statusLine: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: Input
}

/** The data of a connection as an input. */
export class ConnectionInput extends Input {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #clock: Clock

  /** Keeps simulated time from advancing while the network works. */
  constructor(connection: Connection, clock: Clock) {
    super()
    this.#reader = connection.readable.getReader()
    this.#clock = clock
  }

  protected override async pull(signal: AbortSignal): Promise<Uint8Array | undefined> {
    const read = this.#reader.read()
    holdClock(this.#clock, 'an answer over the network', read)
    const { done, value } = await unlessAborted(read, signal)
    return done ? undefined : value
  }
}

/** Sends a request and reads the head of the answer. One connection, one request. */
export async function request(
  connection: Connection,
  signal: AbortSignal,
  options: {
    readonly clock: Clock
    readonly method: string
    readonly host: string
    readonly target: string
    readonly headers: readonly string[]
    readonly body?: string | undefined
  },
): Promise<HttpAnswer> {
  const body = options.body === undefined ? undefined : encodeText(options.body)
  const given = new Set(options.headers.map((header) => header.split(':', 1)[0]?.toLowerCase()))
  const defaults = [
    ...(given.has('host') ? [] : [`Host: ${options.host}`]),
    ...(given.has('user-agent') ? [] : ['User-Agent: Wget']),
    ...(body ? [`Content-Length: ${body.length}`] : []),
    ...(body && !given.has('content-type') ? ['Content-Type: application/x-www-form-urlencoded'] : []),
    'Connection: close',
  ]
  const head = [`${options.method} ${options.target} HTTP/1.1`, ...defaults, ...options.headers]
  if (head.some((line) => /[\r\n]/.test(line)))
    throw new AppletFailure('a header or the address has a line break')
  const writer = connection.writable.getWriter()
  await unlessAborted(writer.write(encodeText(`${head.join('\r\n')}\r\n\r\n`)), signal)
  if (body) await unlessAborted(writer.write(body), signal)
  const input = new ConnectionInput(connection, options.clock)
  const statusLine = await line(input, signal)
  const status = Number(/^HTTP\/1\.[01] ([0-9]{3})/.exec(statusLine)?.[1] ?? Number.NaN)
  if (Number.isNaN(status)) throw new AppletFailure('bad response from the server')
  const headers = new Map<string, string>()
  for (let text = await line(input, signal); text !== ''; text = await line(input, signal)) {
    const [name = '', value = ''] = text.split(/:\s*(.*)/s)
    headers.set(name.toLowerCase(), value)
    if (headers.size > MOST_HEADERS) throw new AppletFailure('too many headers in the response')
  }
  return {
    status,
    statusLine,
    headers,
    body: bodyOf(input, headers, options.method === 'HEAD' || status === 204),
  }
}

async function line(input: Input, signal: AbortSignal): Promise<string> {
  const read = await input.readLine(signal)
  if (!read) throw new AppletFailure('the server closed the connection')
  return decodeText(read.bytes).replace(/\r$/, '')
}

function bodyOf(input: Input, headers: ReadonlyMap<string, string>, empty: boolean): Input {
  if (empty) return new CountedInput(input, 0)
  if (headers.get('transfer-encoding')?.toLowerCase() === 'chunked') return new ChunkedInput(input)
  const length = headers.get('content-length')
  return length === undefined ? input : new CountedInput(input, Number(length))
}

class CountedInput extends Input {
  readonly #input: Input
  #left: number

  constructor(input: Input, length: number) {
    super()
    this.#input = input
    this.#left = length
  }

  protected override async pull(signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (!(this.#left > 0)) return undefined
    const bytes = await this.#input.read(signal, this.#left)
    if (!bytes) throw new AppletFailure('the connection was closed before the end')
    this.#left -= bytes.length
    return bytes
  }
}

class ChunkedInput extends Input {
  readonly #input: Input
  #left = 0
  #first = true

  constructor(input: Input) {
    super()
    this.#input = input
  }

  protected override async pull(signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (this.#left === 0) {
      if (!this.#first) await this.#input.readLine(signal)
      this.#first = false
      const size = decodeText((await this.#input.readLine(signal))?.bytes ?? new Uint8Array()).trim()
      this.#left = Number.parseInt(size, 16)
      if (Number.isNaN(this.#left)) throw new AppletFailure('the connection was closed before the end')
      if (this.#left === 0) return undefined
    }
    const bytes = await this.#input.read(signal, this.#left)
    if (!bytes) throw new AppletFailure('the connection was closed before the end')
    this.#left -= bytes.length
    return bytes
  }
}
