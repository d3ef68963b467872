/**
 * Warnings that a Kubernetes API server does not give, since it acts on what our server only stores. Comparisons of both
 * servers set them aside here and nowhere else.
 */
const NO_EFFECT = '299 - "No effect here: '
const PRINTED = /^Warning: No effect here: .*\n?/gm

/** A `Warning` header without them; undefined where no other warning is left. */
export function withoutEffectWarnings(header: string | undefined): string | undefined {
  const left = header?.split(/, (?=299 - )/).filter((warning) => !warning.startsWith(NO_EFFECT))
  return left?.join(', ') || undefined
}

/** The output of kubectl, without these warnings. */
export function withoutPrintedEffectWarnings(text: string): string {
  return text.replace(PRINTED, '')
}
