/**
 * Changes the lines of a text so that a concurrent reader of its file misses nothing. A line that stays keeps
 * its offset. A removed line becomes empty lines. A new line goes where the text was empty, or to its end. A
 * reader may see some of the text before the change and the rest after it: it finds every line that stays,
 * and never a mix of two lines. The text never becomes shorter.
 */
export function placedLines(before: string, lines: readonly string[]): string {
  const missing = new Set(lines)
  let text = before.replaceAll(/[^\n]+\n/g, (line) =>
    missing.delete(line) ? line : '\n'.repeat(line.length),
  )
  const gaps = [...before.matchAll(/(?<=^|\n)\n+/g)].map(({ index, 0: { length } }) => ({ index, length }))
  let added = ''
  for (const line of missing) {
    const gap = gaps.find(({ length }) => length >= line.length)
    if (gap) {
      text = text.slice(0, gap.index) + line + text.slice(gap.index + line.length)
      gap.index += line.length
      gap.length -= line.length
    } else {
      added += line
    }
  }
  return text + added
}
