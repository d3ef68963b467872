import type { Job } from '@homeostat/api/kinds'
import { countCommon, countIndexes, parseIndexes, type IndexIntervals } from './index-intervals.ts'

/** A description of the rule of a Job's success policy that the succeeded indexes satisfy; `undefined` when none does. */
export function matchedSuccessRule({ spec }: Job, succeeded: IndexIntervals): string | undefined {
  const total = countIndexes(succeeded)
  if (total === 0) return undefined
  const matched = (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && total >= succeededCount
    const required = parseIndexes(succeededIndexes, spec.completions ?? 0)
    const needed = countIndexes(required)
    return needed > 0 && countCommon(required, succeeded) >= Math.min(needed, succeededCount ?? needed)
  })
  return matched < 0 ? undefined : `Matched rules at index ${matched}`
}
