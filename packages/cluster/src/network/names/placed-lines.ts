/**
 * Changes a text to have these lines, each with its end, so that a reader of the text while it is written over misses
 * nothing: a line that stays keeps its place to the byte, one that goes leaves empty lines, and a new one comes where the text was
 * empty before, or after it. So a reader that sees a part as it was and a part as it is finds every line that stays,
 * and never a line made of two. The text never becomes shorter.
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
