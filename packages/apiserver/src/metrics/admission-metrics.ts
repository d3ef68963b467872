import { Counters, Histograms } from './counters.ts'
import type { Exposition } from './exposition.ts'
import type { Histogram } from './histogram.ts'

const SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5]
/** Bounds for single expressions. */
const EXPRESSION_SECONDS = [0.000_000_5, 0.001, 0.01, 0.1, 1]

/** The phases of admission, as metrics of plugins name them. */
export type AdmissionPhase = 'admit' | 'validate'

/** How the call of a webhook ended. */
export interface WebhookOutcome {
  readonly seconds: number
  readonly rejected: boolean
  /** The HTTP status of the answer or of the failure; 0 where the server itself failed. */
  readonly code: number
  /** Why the request was rejected. */
  readonly error?: 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error'
}

/** The match conditions of a webhook or a policy. */
export interface ConditionsOwner {
  readonly kind: 'webhook' | 'policy'
  readonly name: string
  readonly operation: string
  readonly type: AdmissionPhase | 'validating'
}

/** A policy, its binding, and why metrics count the policy. */
export interface PolicyCheck {
  readonly policy: string
  readonly binding: string
  readonly error: PolicyError
  readonly seconds: number
}

/** How metrics name the failure of an expression. */
export type PolicyError = 'compile_error' | 'invalid_error' | 'no_error' | 'out_of_budget'

/** The counters of an admission plugin in one phase of one operation. */
export interface PluginPhase {
  readonly passed: Histogram
  /** Its series exists once the plugin has rejected a write. */
  readonly rejected: () => Histogram
}

/** The metrics of admission: of plugins, webhooks and policies. */
export class AdmissionMetrics {
  readonly steps = new Histograms(
    'apiserver_admission_step_admission_duration_seconds',
    '[STABLE] Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
    ['operation', 'rejected', 'type'],
    SECONDS,
  )
  readonly #validations = new Counters(
    'apiserver_validating_admission_policy_check_total',
    '[BETA] Validation admission policy check total, labeled by policy and further identified by binding and enforcement action taken.',
    ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
  )
  readonly #validationSeconds = new Histograms(
    'apiserver_validating_admission_policy_check_duration_seconds',
    '[BETA] Validation admission latency for individual validation expressions in seconds, labeled by policy and further including binding and enforcement action taken.',
    ['enforcement_action', 'error_type', 'policy', 'policy_binding'],
    EXPRESSION_SECONDS,
  )
  readonly #mutations = new Counters(
    'apiserver_mutating_admission_policy_check_total',
    '[ALPHA] Mutation admission policy check total, labeled by policy and further identified by binding.',
    ['error_type', 'policy', 'policy_binding'],
  )
  readonly #mutationSeconds = new Histograms(
    'apiserver_mutating_admission_policy_check_duration_seconds',
    '[ALPHA] Mutation admission latency for individual mutation expressions in seconds, labeled by policy and binding.',
    ['error_type', 'policy', 'policy_binding'],
    EXPRESSION_SECONDS,
  )
  readonly #conditionSeconds = new Histograms(
    'apiserver_admission_match_condition_evaluation_seconds',
    '[ALPHA] Admission match condition evaluation time in seconds, identified by name and broken out for each kind containing matchConditions (webhook or policy), operation and type (validate or admit).',
    ['kind', 'name', 'operation', 'type'],
    [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  )
  readonly #conditionErrors = new Counters(
    'apiserver_admission_match_condition_evaluation_errors_total',
    '[ALPHA] Admission match condition evaluation errors count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
    ['kind', 'name', 'operation', 'type'],
  )
  readonly #conditionExclusions = new Counters(
    'apiserver_admission_match_condition_exclusions_total',
    '[ALPHA] Admission match condition evaluation exclusions count, identified by name of resource containing the match condition and broken out for each kind containing matchConditions (webhook or policy), operation and admission type (validate or admit).',
    ['kind', 'name', 'operation', 'type'],
  )
  readonly #plugins = new Histograms(
    'apiserver_admission_controller_admission_duration_seconds',
    '[STABLE] Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
    ['name', 'operation', 'rejected', 'type'],
    SECONDS,
  )
  readonly #webhookSeconds = new Histograms(
    'apiserver_admission_webhook_admission_duration_seconds',
    '[STABLE] Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
    ['name', 'operation', 'rejected', 'type'],
    [...SECONDS, 10, 25],
  )
  readonly #webhookRequests = new Counters(
    'apiserver_admission_webhook_request_total',
    '[ALPHA] Admission webhook request total, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
    ['code', 'name', 'operation', 'rejected', 'type'],
  )
  readonly #webhookRejections = new Counters(
    'apiserver_admission_webhook_rejection_count',
    '[ALPHA] Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
    ['error_type', 'name', 'operation', 'rejection_code', 'type'],
  )
  readonly #webhooksFailedOpen = new Counters(
    'apiserver_admission_webhook_fail_open_count',
    '[ALPHA] Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).',
    ['name', 'type'],
  )

  plugin(name: string, operation: string, phase: AdmissionPhase): PluginPhase {
    let rejected: Histogram | undefined
    return {
      passed: this.#plugins.of(name, operation, 'false', phase),
      rejected: () => (rejected ??= this.#plugins.of(name, operation, 'true', phase)),
    }
  }

  /** Counts the call of a webhook. Metrics name the phases of webhooks `admit` and `validating`. */
  webhook(
    name: string,
    operation: string,
    type: 'admit' | 'validating',
    { seconds, rejected, code, error }: WebhookOutcome,
  ): void {
    // Limited, so that webhooks cannot make series without end.
    const counted = String(Math.min(code, 600))
    this.#webhookSeconds.of(name, operation, String(rejected), type).observe(seconds)
    this.#webhookRequests.of(counted, name, operation, String(rejected), type).count++
    if (error) this.#webhookRejections.of(error, name, operation, counted, type).count++
  }

  /** Counts a webhook that could not be called, and whose failure policy lets the request pass. */
  webhookFailedOpen(name: string, type: 'admit' | 'validating'): void {
    this.#webhooksFailedOpen.of(name, type).count++
  }

  /**
   * Counts match conditions that do not hold, or that cannot be evaluated. As in Kubernetes, conditions that hold are
   * not timed. Only webhooks count the requests that their conditions exclude; that metric names the phases
   * differently.
   */
  conditions(
    { kind, name, operation, type }: ConditionsOwner,
    {
      seconds,
      errors,
      excludes,
    }: { readonly seconds: number; readonly errors: number; readonly excludes: boolean },
  ): void {
    this.#conditionSeconds.of(kind, name, operation, type).observe(seconds)
    if (errors > 0) this.#conditionErrors.of(kind, name, operation, type).count += errors
    if (!excludes || kind !== 'webhook') return
    const phase = type === 'validating' ? 'validate' : type
    this.#conditionExclusions.of(kind, name, operation, phase).count++
  }

  /** Counts a failed validation: what the binding does about it, or `allow` where the failure policy ignores it. */
  validation(
    action: 'allow' | 'audit' | 'deny' | 'warn',
    { policy, binding, error, seconds }: PolicyCheck,
  ): void {
    this.#validations.of(action, error, policy, binding).count++
    this.#validationSeconds.of(action, error, policy, binding).observe(seconds)
  }

  /** Counts a mutation. */
  mutation({ policy, binding, error, seconds }: PolicyCheck): void {
    this.#mutations.of(error, policy, binding).count++
    this.#mutationSeconds.of(error, policy, binding).observe(seconds)
  }

  write(to: Exposition): void {
    for (const family of [
      this.steps,
      this.#validations,
      this.#validationSeconds,
      this.#mutations,
      this.#mutationSeconds,
      this.#conditionSeconds,
      this.#conditionErrors,
      this.#conditionExclusions,
      this.#plugins,
      this.#webhookSeconds,
      this.#webhookRequests,
      this.#webhookRejections,
      this.#webhooksFailedOpen,
    ]) {
      family.write(to)
    }
  }
}
