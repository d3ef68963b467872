/** The value where it is a text; otherwise the empty text, which stands for an absent one in reviews. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
