/** The lines of a table in Markdown whose columns line up: the first to the left, the others to the right. */
export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string[] {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...body].map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(head), `| ${rule.join(' | ')} |`, ...body.map(line)]
}
