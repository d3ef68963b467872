/**
 * Admission policies: CEL expressions, stored in the server, that refuse or change the writes of clients. A policy is
 * in effect while a binding names it.
 */
export { admissionPolicies } from './admission-policies.ts'
export { checkPolicyTypes } from './check-policy-types.ts'
export type { ExpressionWarning, MatchedKind } from './policy-types.ts'
