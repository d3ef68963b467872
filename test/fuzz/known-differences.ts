/** A difference between the servers that is there on purpose, or that is not worth removing. */
export interface KnownDifference {
  /** A line of a difference, as {@link answerDifferences} writes it. */
  readonly line: RegExp
  /** Only in answers about these kinds: `apps/v1 Deployment`. Default: all. */
  readonly kind?: RegExp
  /** Only of these verbs. Default: all. */
  readonly verb?: RegExp
  readonly reason: string
}

/** What may differ, each with its reason. A difference is listed when every one of its lines is. */
const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    line: /^(\d: )?message: .* cannot be handled as an? .*, not .* cannot be handled as an? /s,
    reason:
      'both refuse what they cannot read; the message names types of Go, and the first of several problems',
  },
  {
    kind: /^resource\.k8s\.io\//,
    line: /./,
    reason:
      'claims, classes and slices of devices are stored, but no driver runs here: their own rules are not checked',
  },
  {
    kind: /^v1 Node$/,
    line: /node\.kubernetes\.io\/not-ready|f:taints/,
    reason: 'nodes are made ready by their kubelet here, and are not tainted until then',
  },
]

/** The reasons for a difference; undefined when one of its lines is not listed. */
export function knownReasons(kind: string, verb: string, lines: readonly string[]): string[] | undefined {
  const reasons = new Set<string>()
  for (const line of lines) {
    const known = KNOWN_DIFFERENCES.find(
      (one) => one.line.test(line) && (one.kind?.test(kind) ?? true) && (one.verb?.test(verb) ?? true),
    )
    if (!known) return undefined
    reasons.add(known.reason)
  }
  return [...reasons]
}
