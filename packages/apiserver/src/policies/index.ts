/**
 * Admission policies: expressions in CEL, stored in the server, that refuse or change what clients write. A policy is in effect
 * while a binding names it.
 */
export { admissionPolicies } from './admission-policies.ts'
export { checkPolicyTypes } from './check-policy-types.ts'
export type { ExpressionWarning, MatchedKind } from './policy-types.ts'
