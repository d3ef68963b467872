import {
  turnOfTheEventLoop,
  HomeostatError,
  parseJson,
  parseWithKeys,
  stringifyJson,
  type ApiRequest,
  type ApiResponse,
  type Clock,
  type Pausable,
  type Status,
  ValueBytes,
} from '@homeostat/api'
import { type Logger, silentLogger } from '../telemetry/index.ts'
import { linkSignals, readBody, readErrorBody, ServerMemory, type Transport } from '../transport/index.ts'
import { ApiError, isKindNotServed, type FailedRequest } from './api-error.ts'
import { KnownKinds } from './known-kinds.ts'
import { logWarnings } from './warnings.ts'

/** Where requests go. */
export interface RequestServer {
  transport: Transport
  /** Called before each request, which is sent when the promise resolves. It waits by the given clock. */
  throttle?: ((clock: Clock, signal: AbortSignal | undefined) => Promise<void>) | undefined
  /**
   * How long an answer may be after decompression; a longer one is an error. Default: 256 MiB, which is many times the
   * longest page of a list, and less than the longest string of JavaScript.
   */
  maxAnswerBytes?: number | undefined
}

/** The sender of requests. Each property is read when a request needs it. */
export interface RequestCaller {
  clock: Clock
  /** The field manager of the requests. */
  fieldManager?: string | undefined
  /** The reconcile that sends them. Default: none. */
  readonly reconcile?: ApiRequest['reconcile']
  /**
   * The work that waits for the answers. It is paused while a server in this process waits for simulated time to
   * pass. Default: none.
   */
  readonly waiting?: Pausable | undefined
  logger?: Logger | undefined
  /** Ends every request. */
  signal?: AbortSignal | undefined
  /** Called before each write is sent; an error that it throws prevents the write. */
  beforeWrite?: (() => void) | undefined
}

/** One request to the API, with its kind and its object. */
export interface JsonRequest extends FailedRequest {
  readonly method: ApiRequest['method']
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>> | undefined
  readonly body?: unknown
  /** Default: `application/json`. */
  readonly contentType?: string | undefined
  /** Default: `application/json`. */
  readonly accept?: string | undefined
  /** Whether whole numbers beyond 2^53 in the answer become exact numbers rather than rounded ones. */
  readonly exact?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** How often a request is repeated when a server asks for it. */
const MOST_RETRIES = 5
/** If the server asks for a longer wait than this, the caller gets the error. */
const LONGEST_WAIT_SECONDS = 60

/** How many requests of a caller that has been stopped are refused at once. Later ones are refused after a delay. */
const MOST_REFUSALS = 100

const MOST_BYTES = 256 * 1024 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Sends JSON and reads JSON. A failure is an `ApiError`. Requests to a busy server (429, 503 and other 5xx with
 * `Retry-After`) are repeated a few times, after the delay that it asked for.
 */
export class Requester {
  readonly #server: RequestServer
  readonly #caller: RequestCaller
  #refusals = 0
  /** The state that the clients of one server share. */
  readonly memory: ServerMemory

  constructor(server: RequestServer, caller: RequestCaller) {
    this.#server = server
    this.#caller = caller
    this.memory = server.transport.memory ?? new ServerMemory()
  }

  async json<T>(request: JsonRequest): Promise<T> {
    const { transport, throttle, maxAnswerBytes: limit = MOST_BYTES } = this.#server
    const { clock, logger = silentLogger } = this.#caller
    using linked = linkSignals(this.#caller.signal, request.signal)
    const { signal } = linked
    const prepared = prepare(request, signal, this.#caller)
    for (let retries = 0; ; retries++) {
      await throttle?.(clock, signal)
      await this.#assertMaySend(request, signal)
      const response = await transport.send(prepared)
      const succeeded = response.status < 300
      const bytes = await (succeeded
        ? readBody(response, { signal, limit })
        : readErrorBody(response, { signal }))
      logWarnings(this.memory.warnings, response.headers['warning'], logger, {
        verb: request.verb,
        kind: request.kind.kind,
      })
      if (succeeded) return parseAnswer(bytes, request) as T
      const wait = retryAfter(response)
      if (wait === undefined || retries >= MOST_RETRIES) {
        const error = new ApiError(statusOf(response, bytes), request)
        if (isKindNotServed(error)) new KnownKinds(this.memory.kinds).forget(request.kind)
        throw error
      }
      logger.info(
        { verb: request.verb, kind: request.kind.kind, code: response.status, waitSeconds: wait },
        'the server is busy; retrying after the delay that it asked for',
      )
      await clock.sleep(wait * 1_000, { signal })
    }
  }

  /**
   * A refusal takes a turn of the event loop, and from the hundredth on one second: code that retries without end
   * must neither block other work nor keep the processor busy.
   */
  async #assertMaySend({ method }: JsonRequest, signal: AbortSignal | undefined): Promise<void> {
    try {
      signal?.throwIfAborted()
      if (method !== 'GET') this.#caller.beforeWrite?.()
    } catch (error) {
      if (++this.#refusals < MOST_REFUSALS) await turnOfTheEventLoop()
      else await this.#caller.clock.sleep(1_000)
      throw error
    }
  }
}

/**
 * The answer's Status, or one created from the answer of a proxy or of an unknown path. Its details contain the delay
 * that a `Retry-After` header asks for.
 */
export function statusOf(response: Pick<ApiResponse, 'status' | 'headers'>, bytes: Uint8Array): Status {
  const status = parsedStatus(response.status, decoder.decode(bytes))
  const seconds = retryAfterSeconds(response)
  if (seconds === undefined || status.details?.retryAfterSeconds !== undefined) return status
  return { ...status, details: { ...status.details, retryAfterSeconds: seconds } }
}

function parsedStatus(code: number, text: string): Status {
  try {
    const parsed = JSON.parse(text) as Status
    if (parsed.kind === 'Status') return { ...parsed, code: parsed.code || code }
  } catch {
    // Not JSON: a proxy's page, or the plain text of a path that is not served.
  }
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason: REASONS[code] ?? 'Unknown',
    message:
      code === 404
        ? 'the server could not find the requested resource'
        : text.trim().slice(0, 300) || `HTTP ${code}`,
  }
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

function prepare(
  request: JsonRequest,
  signal: AbortSignal | undefined,
  { fieldManager: sender, reconcile, waiting }: RequestCaller,
): ApiRequest {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) query.set(name, value)
  }
  const hasBody = request.body !== undefined
  return {
    method: request.method,
    path: request.path,
    query,
    headers: {
      accept: request.accept ?? 'application/json',
      ...(hasBody && { 'content-type': request.contentType ?? 'application/json' }),
    },
    body: hasBody ? encoder.encode(stringifyJson(request.body)) : undefined,
    signal,
    sender,
    reconcile,
    waiting,
  }
}

/** The document of an answer; frozen where a server in this process shares it. */
function parseAnswer(bytes: Uint8Array, request: JsonRequest): unknown {
  const shared = ValueBytes.valueIn(bytes)
  if (shared !== undefined) return shared
  try {
    const text = decoder.decode(bytes)
    return request.exact ? parseJson(text) : parseWithKeys(text)
  } catch (cause) {
    throw new HomeostatError(
      'API_ANSWER_INVALID',
      `the answer to ${request.method} ${request.path} is not JSON. Check that the address leads to an API server, not to a login page or another service.`,
      { cause },
    )
  }
}

/** How many seconds to wait before the request is repeated; `undefined` where the server did not ask for that. */
function retryAfter(response: ApiResponse): number | undefined {
  if (response.status !== 429 && response.status < 500) return undefined
  const seconds = retryAfterSeconds(response)
  return seconds !== undefined && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined
}

function retryAfterSeconds({ headers }: Pick<ApiResponse, 'headers'>): number | undefined {
  const header = headers['retry-after']
  const seconds = Number(header)
  return header && seconds >= 0 ? seconds : undefined
}
