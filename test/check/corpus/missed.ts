import type { FindingClass } from '@homeostat/check'

/** What the check reports today for an operator of which it should report something else. */
interface Gap {
  readonly title: string
  /** The classes that it reports in place of an expected one. Empty: it finds nothing. */
  readonly reported: readonly FindingClass[]
  /** What the check would have to do to find it, or why it reports what it should not. */
  readonly why: string
}

/**
 * Operators that the check does not judge rightly today. `npm run bench check -- --corpus` fails when an entry is no longer true: the
 * list only gets shorter.
 */
export const missed: readonly Gap[] = []
