import { type JsonObject, objectOf } from '../../schema/index.ts'
import { addAmounts, type Amounts, amountList, amountsOf, onlyNamed, ZERO } from './amounts.ts'
import { evaluatorOf } from './evaluators.ts'
import { isInScopes, scopesOf } from './quota.ts'

/** A resource that a quota may count. */
export interface CountedResource {
  readonly group: string
  readonly plural: string
}

/** Whether objects of a resource may use something that a quota with this `spec` limits. */
export function countsTowardsQuota(spec: object, resource: CountedResource): boolean {
  const evaluator = evaluatorOf(resource)
  return evaluator !== undefined && limited(spec).some((name) => evaluator.measures(name))
}

/**
 * The usage of a quota with this `spec` by the objects of a namespace: the `used` of its status. `lists` has all
 * objects of each resource for which {@link countsTowardsQuota} returns true; `now` is the time in milliseconds.
 */
export function quotaUsage(
  spec: object,
  lists: Iterable<{ readonly resource: CountedResource; readonly objects: readonly object[] }>,
  now: number,
): Readonly<Record<string, string>> {
  const names = limited(spec)
  const scopes = scopesOf(objectOf(spec))
  let used: Amounts = new Map()
  for (const { resource, objects } of lists) {
    const evaluator = evaluatorOf(resource)
    if (!evaluator) continue
    const measured = names.filter((name) => evaluator.measures(name))
    used = addAmounts(new Map(measured.map((name) => [name, ZERO])), used)
    for (const object of objects.map((one): JsonObject => objectOf(one))) {
      if (!isInScopes(evaluator, object, scopes)) continue
      used = addAmounts(used, onlyNamed(evaluator.usage(object, now), new Set(measured)))
    }
  }
  return amountList(used)
}

function limited(spec: object): string[] {
  return [...amountsOf(objectOf(objectOf(spec)['hard'])).keys()]
}
