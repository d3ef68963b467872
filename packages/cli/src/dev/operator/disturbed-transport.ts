import type { ApiRequest, ApiResponse, Clock } from '@homeostat/api'
import type { ApiState } from '@homeostat/dashboard'
import type { Transport } from 'homeostat'

/** How late a slow API answers, in milliseconds. */
const DELAY = 2000

const REFUSAL = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'the page of homeostat dev makes the API fail',
  reason: 'ServiceUnavailable',
  code: 503,
}

/** An API that answers late, or refuses every second request, when a user of the page asks for it. Watches continue as usual. */
export class DisturbedTransport implements Transport {
  readonly #inner: Transport
  readonly #clock: Clock
  #requests = 0
  state: ApiState = 'normal'

  constructor(inner: Transport, clock: Clock) {
    this.#inner = inner
    this.#clock = clock
  }

  get server(): string {
    return this.#inner.server
  }

  get inProcess(): boolean | undefined {
    return this.#inner.inProcess
  }

  get memory(): Transport['memory'] {
    return this.#inner.memory
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (request.query.has('watch')) return this.#inner.send(request)
    if (this.state === 'slow') {
      using _ = request.waiting?.pause()
      await this.#clock.sleep(DELAY, { signal: request.signal })
    }
    if (this.state === 'failing' && ++this.#requests % 2 === 0) {
      const headers = { 'content-type': 'application/json' }
      return { status: 503, headers, body: new TextEncoder().encode(JSON.stringify(REFUSAL)) }
    }
    return this.#inner.send(request)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
