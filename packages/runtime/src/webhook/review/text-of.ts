/** The value if it is a string; otherwise the empty string, which stands for an absent one in reviews. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
