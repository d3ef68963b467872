import type { Authorizer } from '../auth/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import type { Registry } from '../registry/index.ts'
import { MutatingPolicies } from './mutating-policies.ts'
import { ValidatingPolicies } from './validating-policies.ts'

/** The evaluators of both kinds of policies. */
export interface PolicyEvaluators {
  readonly mutating: MutatingPolicies
  readonly validating: ValidatingPolicies
}

export function policyEvaluators(
  registry: Registry,
  authorize: Authorizer,
  metrics: ServerMetrics,
): PolicyEvaluators {
  return {
    mutating: new MutatingPolicies(registry, authorize, metrics),
    validating: new ValidatingPolicies(registry, authorize, metrics),
  }
}
