import type { MetricsRegistry } from '../../telemetry/index.ts'
import type { WebhookEndpoint } from './endpoint.ts'

/** From ten nanoseconds to a thousand seconds, each ten times the one before. */
const LATENCY_BUCKETS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000]

const PANICS = {
  admission: [
    'controller_runtime_webhook_panics_total',
    'Calls of webhooks that failed because of a bug in their code.',
  ],
  conversion: [
    'controller_runtime_conversion_webhook_panics_total',
    'Calls of conversion webhooks that failed because of a bug in their code.',
  ],
} as const

/** The numbers of the webhook at one path, under the names that dashboards for controller-runtime know. */
export class WebhookMetrics {
  readonly #ofCode: (code: number) => { value: number }
  /** The numbers by code: to find one by its labels costs more than the rest of a call's metrics. */
  readonly #codes = new Map<number, { value: number }>()
  readonly #inFlight: { value: number }
  readonly #seconds: (value: number) => void
  readonly #panics: { value: number }

  constructor(registry: MetricsRegistry, { path, type }: Pick<WebhookEndpoint, 'path' | 'type'>) {
    const [name, help] = PANICS[type === 'conversion' ? 'conversion' : 'admission']
    this.#panics = registry.counter(name, help).with()
    const total = registry.counter(
      'controller_runtime_webhook_requests_total',
      'Requests to webhooks, by the HTTP status code of their answers.',
    )
    this.#ofCode = (code) => total.with({ webhook: path, code })
    this.#code(200)
    this.#code(500)
    this.#inFlight = registry
      .gauge('controller_runtime_webhook_requests_in_flight', 'Requests to webhooks that are being answered.')
      .with({ webhook: path })
    this.#seconds = registry
      .histogram('controller_runtime_webhook_latency_seconds', 'How long requests to webhooks took.', {
        buckets: LATENCY_BUCKETS,
      })
      .with({ webhook: path })
  }

  panicked(): void {
    this.#panics.value++
  }

  begin(): void {
    this.#inFlight.value++
  }

  /** `duration` in milliseconds; without a code the caller has hung up. */
  end(duration: number, code?: number): void {
    this.#inFlight.value--
    this.#seconds(duration / 1000)
    if (code !== undefined) this.#code(code).value++
  }

  #code(code: number): { value: number } {
    let count = this.#codes.get(code)
    if (!count) {
      count = this.#ofCode(code)
      this.#codes.set(code, count)
    }
    return count
  }
}
