import type { WebhookContext } from '../review/index.ts'
import type { AdmissionRequest } from './admission-request.ts'

/** The context of an admission handler. */
export interface AdmissionContext<O = unknown> extends WebhookContext {
  /** Who does what to which object, and whether it is a dry run. */
  readonly request: AdmissionRequest<O>
  /** Shows a warning to the client. `kubectl` prints it, whether the request is refused or not. Keep it below 120 characters. */
  readonly warn: (message: string) => void
  /** Adds an annotation to the audit event of the request. The key is without a prefix: the API server puts the webhook's name before it. */
  readonly audit: (key: string, value: string) => void
}
