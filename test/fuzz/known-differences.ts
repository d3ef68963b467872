import type { FuzzCase } from './fuzz-case.ts'
import { GENERAL } from './known/general.ts'
import type { KnownDifference } from './known/known-difference.ts'
import { OF_KINDS } from './known/of-kinds.ts'
import { UNSUPPORTED } from './known/unsupported.ts'

/** The known differences, each with its reason. A difference is listed when it is as a whole, or when each of its lines is. */
const KNOWN_DIFFERENCES: readonly KnownDifference[] = [...GENERAL, ...OF_KINDS, ...UNSUPPORTED]

/** The reason for a difference of a custom kind that goes away with another notation of the same numbers. */
export const NOTATION = 'numbers that JavaScript reads alike, such as 5 and 5.0, are the same number'

/** The reasons for a difference; undefined when it is not listed. */
export function knownReasons(one: FuzzCase, lines: readonly string[]): string[] | undefined {
  const { kind, verb, requests } = one
  const sent = JSON.stringify(requests)
  const possible = KNOWN_DIFFERENCES.filter(
    (known) =>
      (known.kind?.test(kind) ?? true) &&
      (known.verb?.test(verb) ?? true) &&
      (known.sent?.test(sent) ?? true) &&
      (known.where?.(one, lines) ?? true),
  )
  const whole = possible.find((known) => known.whole?.test(lines.join('\n')))
  if (whole) return [whole.reason]
  const reasons = new Set<string>()
  for (const line of lines) {
    const known = possible.find((entry) => entry.line?.test(line))
    if (!known) return undefined
    reasons.add(known.reason)
  }
  return [...reasons]
}
