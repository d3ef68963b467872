import type { AnyKind, ApiHandler, ApiRequest, ApiResponse, KubernetesObject } from '@homeostat/api'

/** An API whose answers a test sets one by one, for faults that no real server has on demand. */
export class ScriptedApi {
  readonly requests: ApiRequest[] = []
  readonly #answers: ((request: ApiRequest) => ApiResponse | Promise<ApiResponse>)[] = []
  #otherwise: ((request: ApiRequest) => ApiResponse | Promise<ApiResponse>) | undefined

  /** Sets the answer of the next request. */
  next(answer: ApiResponse | ((request: ApiRequest) => ApiResponse | Promise<ApiResponse>)): this {
    this.#answers.push(typeof answer === 'function' ? answer : () => answer)
    return this
  }

  /** Sets the answer of requests that have no scripted answer. */
  otherwise(answer: ApiResponse | ((request: ApiRequest) => ApiResponse)): this {
    this.#otherwise = typeof answer === 'function' ? answer : () => answer
    return this
  }

  readonly handler: ApiHandler = async (request) => {
    this.requests.push(request)
    const answer = this.#answers.shift() ?? this.#otherwise
    if (!answer)
      throw new Error(
        `the test set no answer for ${request.method} ${request.path}?${request.query.toString()}`,
      )
    return answer(request)
  }

  /** The last request as text: `GET /api/v1/configmaps?watch=true`. */
  last(): string {
    return describe(this.requests.at(-1)!)
  }

  described(): string[] {
    return this.requests.map(describe)
  }

  bodyOf(index: number): unknown {
    const body = this.requests.at(index)?.body
    return body && JSON.parse(new TextDecoder().decode(body))
  }
}

function describe(request: ApiRequest): string {
  const query = request.query.toString()
  return `${request.method} ${request.path}${query && `?${query}`}`
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: new TextEncoder().encode(JSON.stringify(body)),
  }
}

export function plain(text: string, status: number): ApiResponse {
  return { status, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode(text) }
}

export function failure(
  code: number,
  reason: string,
  details?: object,
  headers: Record<string, string> = {},
  message = `${reason} happened`,
): ApiResponse {
  return json(failureStatus(code, reason, details, message), code, headers)
}

export function failureStatus(
  code: number,
  reason: string,
  details?: object,
  message = `${reason} happened`,
) {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code, message, details }
}

/** A watch's body that a test writes line by line. */
export class ScriptedStream implements AsyncIterable<Uint8Array> {
  readonly #chunks: (Uint8Array | Error | undefined)[] = []
  #wake: (() => void) | undefined
  /** Whether the reader has closed it. */
  closed = false

  /** The answer to a watch. */
  answer(): ApiResponse {
    return { status: 200, headers: { 'content-type': 'application/json' }, body: this }
  }

  event(type: string, object: object): this {
    return this.text(`${JSON.stringify({ type, object })}\n`)
  }

  bookmark(resourceVersion: string, options: { listEnd?: boolean } = {}): this {
    const annotations = options.listEnd ? { 'k8s.io/initial-events-end': 'true' } : undefined
    return this.event('BOOKMARK', { metadata: { resourceVersion, annotations } })
  }

  text(text: string): this {
    return this.bytes(new TextEncoder().encode(text))
  }

  bytes(bytes: Uint8Array): this {
    return this.#push(bytes)
  }

  end(): this {
    return this.#push(undefined)
  }

  fail(error: Error): this {
    return this.#push(error)
  }

  #push(chunk: Uint8Array | Error | undefined): this {
    this.#chunks.push(chunk)
    this.#wake?.()
    return this
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        while (this.#chunks.length === 0) {
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
        }
        const chunk = this.#chunks.shift()
        if (chunk === undefined) return
        if (chunk instanceof Error) throw chunk
        yield chunk
      }
    } finally {
      this.closed = true
    }
  }
}

/** A native kind without types, for tests. */
export const ConfigMap: AnyKind = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  listKind: 'ConfigMapList',
  scope: 'Namespaced',
  shortNames: [],
  categories: [],
  columns: [],
  subresources: { status: false },
}

/** A custom kind without types, for tests. */
export const Widget: AnyKind = {
  ...ConfigMap,
  group: 'example.com',
  kind: 'Widget',
  plural: 'widgets',
  singular: 'widget',
  listKind: 'WidgetList',
  subresources: { status: true },
  schema: { type: 'object' },
}

/** A ConfigMap in the namespace `default` as a server holds it. */
export function configMap(
  name: string,
  resourceVersion: string,
  rest: {
    uid?: string
    namespace?: string
    data?: Record<string, string>
    labels?: Record<string, string>
  } = {},
): KubernetesObject & { data?: Record<string, string> } {
  const { uid = `uid-${name}`, namespace = 'default', data, labels } = rest
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp: '2026-01-01T12:00:00Z', labels },
    ...(data && { data }),
  }
}
