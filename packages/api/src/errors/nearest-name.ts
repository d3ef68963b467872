/** The known name that is most similar to a misspelt one; undefined if none is similar. Case is ignored. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const written = name.toLowerCase()
  let best: { readonly other: string; readonly steps: number } | undefined
  for (const other of known) {
    const steps = distance(written, other.toLowerCase())
    if (!best || steps < best.steps) best = { other, steps }
  }
  return best && best.steps <= Math.max(2, name.length / 3) ? best.other : undefined
}

/** How many letters have to be changed, added or removed to turn one text into the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same))
    }
    row = next
  }
  return row[b.length] ?? 0
}
