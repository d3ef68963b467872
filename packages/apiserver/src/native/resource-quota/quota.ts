import { type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'
import { type Amounts, amountsOf } from './amounts.ts'
import type { QuotaEvaluator, ScopeRequirement } from './evaluator.ts'

/** A parsed ResourceQuota. */
export interface Quota {
  readonly name: string
  readonly scopes: readonly ScopeRequirement[]
  /** The limits and the usage, from its status: without a status it limits nothing. */
  readonly hard: Amounts
  readonly used: Amounts
}

export function quotaOf(object: JsonObject): Quota {
  const { hard, used } = objectOf(object['status'])
  return {
    name: textOf(objectOf(object['metadata'])['name'] ?? ''),
    scopes: scopesOf(objectOf(object['spec'])),
    hard: amountsOf(hard),
    used: amountsOf(used),
  }
}

/** The scopes of a quota. It counts objects that are in all of them. */
export function scopesOf(spec: JsonObject): readonly ScopeRequirement[] {
  const plain = listOf(spec['scopes']).map((scope) => ({
    scopeName: textOf(scope),
    operator: 'Exists',
    values: [],
  }))
  const selected = listOf(objectOf(spec['scopeSelector'])['matchExpressions']).map((requirement) => {
    const { scopeName, operator, values } = objectOf(requirement)
    return {
      scopeName: textOf(scopeName ?? ''),
      operator: textOf(operator ?? ''),
      values: listOf(values).map(textOf),
    }
  })
  return [...plain, ...selected]
}

/** Whether an object is in all scopes. */
export function isInScopes(
  evaluator: QuotaEvaluator,
  object: JsonObject,
  scopes: readonly ScopeRequirement[],
): boolean {
  return scopes.every((scope) => evaluator.isInScope?.(object, scope) ?? false)
}
