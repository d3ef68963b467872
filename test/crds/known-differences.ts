import type { Comparison } from './compared-project.ts'

/** A difference that is there on purpose, or that is not worth removing. */
interface KnownDifference {
  readonly line: RegExp
  /** Only in these subjects. Default: all. */
  readonly subject?: Comparison['subject']
  /** Only of these kinds. Default: all. */
  readonly kind?: RegExp
  readonly reason: string
}

const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    line: /^apply: message: failed to create typed patch object .*: field not declared in schema, not failed to create typed patch object .*: field not declared in schema$/s,
    reason: 'of several fields that no schema declares, the real server reports any',
  },
  {
    line: /^(apply|patch): metadata\.generation: 1, not 2$/,
    reason:
      'fields that an apply sends and no read shows: the real server stores them, and counts a generation each time',
  },
  {
    line: /metadata\.managedFields: \[.*\], not nothing$/,
    reason:
      'a status that does not fit its schema: the real server drops it and gives up on managed fields; ours tracks the others',
  },
]

/** Why each line of a comparison is listed; `undefined` for a line that is not. */
export function listed({ subject, kind, lines }: Comparison): (string | undefined)[] {
  return lines.map(
    (line) =>
      KNOWN_DIFFERENCES.find(
        (known) =>
          known.line.test(line) &&
          (known.subject ?? subject) === subject &&
          (known.kind === undefined || known.kind.test(kind)),
      )?.reason,
  )
}
