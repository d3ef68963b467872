import type { JsonObject } from '../../schema/index.ts'
import {
  addAmounts,
  type Amounts,
  amountsText,
  exceeding,
  increase,
  onlyNamed,
  withoutZeros,
} from './amounts.ts'
import type { MeasuredWrite, QuotaEvaluator } from './evaluator.ts'
import { isInScopes, type Quota } from './quota.ts'

/**
 * The usage of a quota after a write; undefined where the write uses nothing of it. Calls `refuse` with the API's
 * message where the quota does not allow the write.
 */
export function usageAfter(
  quota: Quota,
  evaluator: QuotaEvaluator,
  write: MeasuredWrite,
  now: number,
  refuse: (why: string) => never,
): Amounts | undefined {
  const { object = {}, oldObject } = write
  const names = [...quota.hard.keys()].filter((name) => evaluator.measures(name))
  if (names.length === 0 || !isInScopes(evaluator, object, quota.scopes)) return undefined
  const missing = evaluator.missing?.(object, names)
  if (missing !== undefined) refuse(`failed quota: ${quota.name}: ${missing}`)
  if (names.some((name) => !quota.used.has(name))) {
    refuse(`status unknown for quota: ${quota.name}, resources: ${names.sort().join(',')}`)
  }

  const added = addedUsage(quota, evaluator, object, oldObject, now)
  const requested = onlyNamed(withoutZeros(added), quota.hard)
  if (requested.size === 0) return undefined
  const used = addAmounts(quota.used, requested)
  // A write of the status is not limited: it reports usage that exists already.
  if (write.subresource === 'status') return used
  const exceeded = exceeding(onlyNamed(used, requested), quota.hard)
  if (exceeded.size > 0) {
    const of = (amounts: Amounts): string => amountsText(onlyNamed(amounts, exceeded))
    refuse(
      `exceeded quota: ${quota.name}, requested: ${of(requested)}, used: ${of(quota.used)}, limited: ${of(quota.hard)}`,
    )
  }
  return used
}

/** The usage that a write adds: that of a new object, or the increase of an old one. */
function addedUsage(
  quota: Quota,
  evaluator: QuotaEvaluator,
  object: JsonObject,
  old: JsonObject | undefined,
  now: number,
): Amounts {
  const usage = evaluator.usage(object, now)
  if (!old || !isInScopes(evaluator, old, quota.scopes)) return usage
  return increase(usage, evaluator.usage(old, now))
}
