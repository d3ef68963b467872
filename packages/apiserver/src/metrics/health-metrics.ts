import { Counters } from './counters.ts'
import type { Exposition } from './exposition.ts'

/** The results of health checks, which kube-apiserver reports at `/metrics/slis` alone. */
export class HealthMetrics {
  readonly #last = new Counters(
    'kubernetes_healthcheck',
    '[STABLE] This metric records the result of a single healthcheck.',
    ['name', 'type'],
    'gauge',
  )
  readonly #all = new Counters(
    'kubernetes_healthchecks_total',
    '[STABLE] This metric records the results of all healthcheck.',
    ['name', 'status', 'type'],
  )

  /** Counts one check of `healthz`, `livez` or `readyz`. */
  checked(type: string, name: string, passed: boolean): void {
    this.#last.of(name, type).count = passed ? 1 : 0
    this.#all.of(name, passed ? 'success' : 'error', type).count++
  }

  write(to: Exposition): void {
    this.#last.write(to)
    this.#all.write(to)
  }
}
