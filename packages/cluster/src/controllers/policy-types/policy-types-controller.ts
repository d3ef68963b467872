import { ValidatingAdmissionPolicy } from '@homeostat/api/kinds'
import { checkPolicyTypes } from '@homeostat/apiserver'
import { controller, type Controller, type KindFinder } from 'homeostat'
import { matchedKinds } from './matched-kinds.ts'
import type { FindSchema } from './openapi-schemas.ts'

/**
 * Checks the expressions of each ValidatingAdmissionPolicy against the types of the kinds that it matches, and reports type errors
 * in its status. A policy is checked once for each generation.
 */
export function policyTypesController(kinds: KindFinder, findSchema: FindSchema): Controller {
  return controller('validatingadmissionpolicy-status')
    .for(ValidatingAdmissionPolicy)
    .reconcile(async (request, { client }) => {
      const policy = await client.get(ValidatingAdmissionPolicy, request)
      if (!policy || policy.metadata.deletionTimestamp) return
      const { generation } = policy.metadata
      if (policy.status?.observedGeneration === generation) return
      const { spec } = policy
      const { matchConstraints, paramKind } = spec
      const matched = matchedKinds(matchConstraints?.resourceRules ?? [], await kinds.list())
      const withSchemas = await Promise.all(
        matched.map(async (kind) => ({ ...kind, schema: await findSchema(kind.apiVersion, kind.kind) })),
      )
      const params = paramKind && (await findSchema(paramKind.apiVersion ?? '', paramKind.kind ?? ''))
      const expressionWarnings = await checkPolicyTypes(
        spec,
        withSchemas.flatMap(({ schema, ...kind }) => (schema ? [{ ...kind, schema }] : [])),
        params,
      )
      const typeChecking = expressionWarnings.length > 0 ? { expressionWarnings } : {}
      await client.status.apply(ValidatingAdmissionPolicy, request, {
        observedGeneration: generation,
        typeChecking,
      })
    })
}
