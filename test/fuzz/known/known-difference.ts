import type { FuzzCase } from '../fuzz-case.ts'

/** A difference between the servers that is there on purpose, or that is not worth removing. */
export interface KnownDifference {
  /** A line of a difference, as {@link answerDifferences} writes it. */
  readonly line?: RegExp
  /** All lines of a difference together, one to a line: none of them needs to be listed by itself. */
  readonly whole?: RegExp
  /** Only in answers about these kinds: `apps/v1 Deployment`. Default: all. */
  readonly kind?: RegExp
  /** Only of these verbs. Default: all. */
  readonly verb?: RegExp
  /** Only where the requests hold this, as JSON; a key that stands a second time begins with `again:fuzz:`. Default: all. */
  readonly sent?: RegExp
  /** A further condition. Default: none. */
  readonly where?: (one: FuzzCase, lines: readonly string[]) => boolean
  readonly reason: string
}
