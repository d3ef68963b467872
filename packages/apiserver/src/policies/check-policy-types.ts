import type { ValueSchema } from '@homeostat/cel'
import type { ExpressionWarning, MatchedKind } from './policy-types.ts'

/**
 * Checks the expressions in the spec of a ValidatingAdmissionPolicy against the kinds that it matches and the kind of
 * its parameters. CEL is loaded on first use.
 */
export async function checkPolicyTypes(
  spec: object,
  kinds: readonly MatchedKind[],
  params: ValueSchema | undefined,
): Promise<ExpressionWarning[]> {
  const { policyWarnings } = await import('./policy-types.ts')
  return policyWarnings(spec, kinds, params)
}
