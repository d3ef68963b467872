import type { Difference } from './differences.ts'
import { KNOWN_DIFFERENCES } from './known-differences.ts'

/** The problems of a scenario, given where our answers differ; empty when all differences are known. */
export function judge(
  name: string,
  found: readonly Difference[],
  known: Readonly<Record<string, string>> = KNOWN_DIFFERENCES,
): string[] {
  const problems = found
    .filter(({ at }) => known[at] === undefined)
    .flatMap(({ at, lines }) => [at, ...lines.map((line) => `  ${line}`)])
  const differing = new Set(found.map(({ at }) => at))
  for (const at of Object.keys(known)) {
    if (at.slice(0, at.lastIndexOf('#')) === name && !differing.has(at)) {
      problems.push(`${at} no longer differs: take it out of known-differences.ts`)
    }
  }
  return problems
}
