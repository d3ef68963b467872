/** A line that both texts have, or only one of them. */
export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed'
  readonly text: string
}

/** More pairs of lines than these are not compared one by one. */
const MOST_PAIRS = 4_000_000

/** What changes one list of lines into another. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ type: 'same', text }))
  return [
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...same(before.slice(before.length - end)),
  ]
}

/** Only the changed lines, with some lines around them; `undefined` stands for lines that were left out. */
export function shortened(lines: readonly DiffLine[], around = 2): (DiffLine | undefined)[] {
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ type }) => type !== 'same'),
  )
  const result: (DiffLine | undefined)[] = []
  for (const [index, line] of lines.entries()) {
    if (shown[index]) result.push(line)
    else if (result.at(-1) !== undefined || index === 0) result.push(undefined)
  }
  return result
}

function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const all = (): DiffLine[] => [
    ...before.map((text): DiffLine => ({ type: 'removed', text })),
    ...after.map((text): DiffLine => ({ type: 'added', text })),
  ]
  if (before.length === 0 || after.length === 0 || before.length * after.length > MOST_PAIRS) return all()
  const width = after.length + 1
  // The length of the longest common part of what is left from each pair of positions on.
  const common = new Uint32Array((before.length + 1) * width)
  const at = (i: number, j: number): number => common[i * width + j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      common[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ type: 'same', text: before[i++] ?? '' })
      j++
    } else if (i < before.length && (j === after.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ type: 'removed', text: before[i++] ?? '' })
    } else lines.push({ type: 'added', text: after[j++] ?? '' })
  }
  return lines
}
