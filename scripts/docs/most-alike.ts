/** Shorter lines, such as closing brackets, say nothing. */
const SHORTEST = 4
/** A block without a reconciler must have this many lines of the example. */
const FEWEST = 5

/**
 * The index of the block that an example continues: of those with a reconciler the one that shares the most lines with it, or another
 * block that has much of it. Nothing where there is neither.
 */
export function mostAlike(blocks: readonly string[], example: string): number | undefined {
  const known = new Set(linesOf(example))
  let best: { readonly index: number; readonly shared: number } | undefined
  for (const [index, block] of blocks.entries()) {
    const shared = linesOf(block).filter((line) => known.has(line)).length
    const counts = block.includes('.reconcile(') || shared >= FEWEST
    if (counts && (!best || shared > best.shared)) best = { index, shared }
  }
  return best?.index
}

function linesOf(code: string): readonly string[] {
  return code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST)
}
