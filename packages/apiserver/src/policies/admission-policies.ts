import type { AdmissionPlugin, AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import type { Registry } from '../registry/index.ts'
import { ConfiguredPolicies, type BoundPolicy } from './configured-policies.ts'
import type { PolicyEvaluators } from './policy-evaluators.ts'

/** Resources for which no policy is evaluated, so that a wrong policy can be repaired and cannot stop a cluster. */
const EXEMPT: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
])

/**
 * The plugins that evaluate the server's policies. Their modules are loaded with the first request while there is a
 * policy: most servers have none.
 */
export function admissionPolicies(
  registry: Registry,
  authorize: Authorizer,
  metrics: ServerMetrics,
): { readonly mutating: AdmissionPlugin; readonly validating: AdmissionPlugin } {
  const mutating = new ConfiguredPolicies(registry, [
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
  ])
  const validating = new ConfiguredPolicies(registry, [
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
  ])
  let loaded: PolicyEvaluators | undefined

  async function load(): Promise<PolicyEvaluators> {
    // Loading takes real time, during which a simulated clock must not advance.
    using _ = registry.clock.busy('loading admission policies')
    const { policyEvaluators } = await import('./policy-evaluators.ts')
    return (loaded ??= policyEvaluators(registry, authorize, metrics))
  }

  return {
    mutating: {
      submissions: true,
      leavesIncomplete: true,
      isActive: () => mutating.all().length > 0,
      admit(request) {
        const bound = policiesFor(mutating, request)
        if (!bound) return undefined
        if (loaded) return loaded.mutating.mutate(bound, request)
        return load().then((evaluators) => evaluators.mutating.mutate(bound, request))
      },
    },
    validating: {
      submissions: true,
      isActive: () => validating.all().length > 0,
      validate(request) {
        const bound = policiesFor(validating, request)
        if (!bound) return undefined
        if (loaded) return loaded.validating.validate(bound, request)
        return load().then((evaluators) => evaluators.validating.validate(bound, request))
      },
    },
  }
}

function policiesFor(
  configured: ConfiguredPolicies,
  { resource: { group, plural } }: AdmissionRequest,
): readonly BoundPolicy[] | undefined {
  const bound = configured.all()
  return bound.length === 0 || EXEMPT.has(`${group}/${plural}`) ? undefined : bound
}
