/** A text as a shell would read it again: in quotes where it needs them. */
export function quoted(text: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(text)) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}
