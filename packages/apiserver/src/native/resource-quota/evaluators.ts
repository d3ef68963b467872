import { countEvaluator } from './count-evaluator.ts'
import { deviceClaimEvaluator } from './device-claim-evaluator.ts'
import type { QuotaEvaluator } from './evaluator.ts'
import { podEvaluator } from './pod-evaluator.ts'
import { serviceEvaluator } from './service-evaluator.ts'
import { volumeClaimEvaluator } from './volume-claim-evaluator.ts'

const SPECIAL: ReadonlyMap<string, QuotaEvaluator> = new Map([
  ['/pods', podEvaluator],
  ['/services', serviceEvaluator],
  ['/persistentvolumeclaims', volumeClaimEvaluator],
  ['resource.k8s.io/resourceclaims', deviceClaimEvaluator],
])

/** Resources that no quota counts. */
const IGNORED = new Set([
  '/bindings',
  '/componentstatuses',
  '/events',
  'events.k8s.io/events',
  'authentication.k8s.io/tokenreviews',
  'authentication.k8s.io/selfsubjectreviews',
  'authorization.k8s.io/subjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
])

/** The evaluator of a resource; undefined where quotas cannot limit it. */
export function evaluatorOf(resource: {
  readonly group: string
  readonly plural: string
}): QuotaEvaluator | undefined {
  const key = `${resource.group}/${resource.plural}`
  if (IGNORED.has(key)) return undefined
  return SPECIAL.get(key) ?? countEvaluator(resource)
}
