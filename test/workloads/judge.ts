import type { Difference } from './differences.ts'
import { KNOWN_DIFFERENCES, type KnownDifference } from './known-differences.ts'

/** The problems of a scenario, given where our run differs; empty when all differences are known. */
export function judge(
  title: string,
  found: readonly Difference[],
  known: readonly KnownDifference[] = KNOWN_DIFFERENCES,
): string[] {
  const meant = known.filter(({ scenarios }) => scenarios.includes(title))
  const problems = found
    .filter((difference) => !meant.some(({ at }) => at.test(difference.at)))
    .map(({ at, words }) => `${at}: ${words}`)
  for (const { at, reason } of meant) {
    if (!found.some((difference) => at.test(difference.at))) {
      problems.push(`${String(at)} (${reason}) no longer differs: take it out of known-differences.ts`)
    }
  }
  return problems
}
