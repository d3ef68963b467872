import type { AdmissionPlugin, AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import type { Registry } from '../registry/index.ts'
import { ConfiguredPolicies, type BoundPolicy } from './configured-policies.ts'
import type { ValidatingPolicies } from './validating-policies.ts'

/** Resources that no policy is evaluated for, so that a wrong policy can be repaired and a cluster goes on working. */
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
 * The plugin that evaluates the server's validating policies. What it needs is loaded with the first request while there is
 * a policy: most servers have none.
 */
export function admissionPolicies(
  registry: Registry,
  authorize: Authorizer,
): { readonly validating: AdmissionPlugin } {
  const validating = new ConfiguredPolicies(registry, [
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
  ])
  let policies: ValidatingPolicies | undefined

  async function load(): Promise<ValidatingPolicies> {
    // Loading takes time that no simulated clock knows of.
    const busy = registry.clock.busy('loading admission policies')
    try {
      const { ValidatingPolicies: Loaded } = await import('./validating-policies.ts')
      return (policies ??= new Loaded(registry, authorize))
    } finally {
      busy.end()
    }
  }

  return {
    validating: {
      submissions: true,
      validate(request) {
        const bound = policiesFor(validating, request)
        if (!bound) return undefined
        if (policies) return policies.validate(bound, request)
        return load().then((loaded) => loaded.validate(bound, request))
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
