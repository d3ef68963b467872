import type { FindingClass } from '@homeostat/check'

/** The check's report today for an operator of which it should report something else. */
interface Gap {
  readonly title: string
  /** The classes that it reports in place of an expected one. Empty: it finds nothing. */
  readonly reported: readonly FindingClass[]
  /** The change by which the check would find it, or the reason for the wrong report. */
  readonly why: string
}

/**
 * Operators that the check does not judge rightly today. `npm run bench check -- --corpus` fails when an entry is no longer true: the
 * list only gets shorter.
 */
export const missed: readonly Gap[] = []
