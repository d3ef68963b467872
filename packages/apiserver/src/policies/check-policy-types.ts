import type { policyWarnings } from './policy-types.ts'

/** Checks the types of a ValidatingAdmissionPolicy, as {@link policyWarnings} does. CEL is loaded when it is needed first. */
export async function checkPolicyTypes(
  ...policy: Parameters<typeof policyWarnings>
): Promise<ReturnType<typeof policyWarnings>> {
  const { policyWarnings } = await import('./policy-types.ts')
  return policyWarnings(...policy)
}
