import type { Clock } from '@homeostat/api'
import type { Client } from '../../client/index.ts'
import type { Logger, Metrics } from '../../telemetry/index.ts'
import type { WebhookContext } from '../review/index.ts'
import type { AdmissionRequest } from './admission-request.ts'
import type { AdmissionContext } from './context.ts'

/** The context of one admission, with what the handler adds to the response. */
export class AdmissionRun implements AdmissionContext {
  readonly warnings: string[] = []
  readonly auditAnnotations = new Map<string, string>()
  readonly request: AdmissionRequest
  readonly #context: WebhookContext

  constructor(context: WebhookContext, request: AdmissionRequest) {
    this.#context = context
    this.request = request
  }

  readonly warn = (message: string): void => void this.warnings.push(message)

  readonly audit = (key: string, value: string): void => void this.auditAnnotations.set(key, value)

  get log(): Logger {
    return this.#context.log
  }

  get signal(): AbortSignal {
    return this.#context.signal
  }

  get deadline(): number | undefined {
    return this.#context.deadline
  }

  get clock(): Clock {
    return this.#context.clock
  }

  get metrics(): Metrics {
    return this.#context.metrics
  }

  get client(): Client {
    return this.#context.client
  }
}
