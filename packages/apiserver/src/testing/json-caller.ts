import { checkOptionNames, joinBytes, optionNames, type ApiHandler, type ApiRequest } from '@homeostat/api'

/** An answer whose body was read as JSON, or as text if it is not JSON. */
export interface JsonAnswer {
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: any
}

/** Options of a request. */
export interface JsonCallOptions {
  /** The body, sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** One event of a watch. */
export interface JsonEvent {
  readonly type: string
  readonly object: any
}

/** An open watch, and the events that it has received so far. */
export interface JsonWatch {
  readonly code: number
  readonly events: readonly JsonEvent[]
  /** Whether the server has ended the watch. */
  readonly ended: boolean
  /** Returns the events since the last call. */
  take(): JsonEvent[]
  /** Returns `TYPE name` of each event since the last call. */
  takeNames(): string[]
  close(): Promise<void>
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const CALL_OPTIONS = optionNames<JsonCallOptions>('a call', { body: true, headers: true, signal: true })

/** Sends a request, whose path may contain a query, and reads the whole answer. */
export async function callJson(
  handler: ApiHandler,
  method: ApiRequest['method'],
  path: string,
  options: JsonCallOptions = {},
): Promise<JsonAnswer> {
  const response = await handler(requestOf(method, path, options))
  const chunks: Uint8Array[] = []
  if (response.body instanceof Uint8Array) chunks.push(response.body)
  else for await (const chunk of response.body) chunks.push(chunk)
  const text = decoder.decode(joinBytes(chunks))
  const isJson = response.headers['content-type']?.startsWith('application/json')
  return { code: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

/** Opens a watch and reads it in the background. */
export async function watchJson(
  handler: ApiHandler,
  path: string,
  options: JsonCallOptions = {},
): Promise<JsonWatch> {
  const response = await handler(requestOf('GET', path, options))
  const events: JsonEvent[] = []
  let ended = false
  let taken = 0
  if (response.body instanceof Uint8Array) {
    throw new TypeError(`GET ${path} answered ${response.status}: ${decoder.decode(response.body)}`)
  }
  const iterator = response.body[Symbol.asyncIterator]()
  const read = async (): Promise<void> => {
    let rest = ''
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) events.push(JSON.parse(line) as JsonEvent)
    }
    ended = true
  }
  const reading = read()
  const take = (): JsonEvent[] => {
    const news = events.slice(taken)
    taken = events.length
    return news
  }
  return {
    code: response.status,
    events,
    get ended() {
      return ended
    },
    take,
    takeNames: () =>
      take().map(({ type, object }) => [type, object.metadata?.name].filter(Boolean).join(' ')),
    async close() {
      await iterator.return?.()
      await reading
    },
  }
}

function requestOf(method: ApiRequest['method'], path: string, options: JsonCallOptions): ApiRequest {
  checkOptionNames(options, CALL_OPTIONS)
  const question = path.indexOf('?')
  const { body } = options
  return {
    method,
    path: question < 0 ? path : path.slice(0, question),
    query: new URLSearchParams(question < 0 ? '' : path.slice(question + 1)),
    headers: {
      'user-agent': 'test/1.0',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined
      ? {}
      : { body: encoder.encode(typeof body === 'string' ? body : JSON.stringify(body)) }),
    signal: options.signal,
  }
}
