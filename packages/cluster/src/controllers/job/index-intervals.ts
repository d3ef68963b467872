/** Completion indexes as closed intervals in ascending order that do not touch, such as `0-3,7`. */
export type IndexIntervals = readonly (readonly [first: number, last: number])[]

/** Parses `0-3,7,9`. Leaves out indexes from `completions` on, and parts that are not intervals. */
export function parseIndexes(text: string | undefined, completions: number): IndexIntervals {
  const read: [number, number][] = []
  for (const part of (text ?? '').split(',')) {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part)
    if (!match) continue
    const first = Number(match[1])
    if (first >= completions) break
    read.push([first, Math.min(Number(match[2] ?? first), completions - 1)])
  }
  return joined(read)
}

/** Writes them as a Job's status has them: two neighbours are `3,4`, more are `3-5`. */
export function formatIndexes(intervals: IndexIntervals): string {
  return intervals
    .map(([first, last]) => {
      if (first === last) return `${first}`
      return last === first + 1 ? `${first},${last}` : `${first}-${last}`
    })
    .join(',')
}

/** All indexes of both. */
export function mergeIndexes(a: IndexIntervals, b: IndexIntervals): IndexIntervals {
  return joined([...a, ...b].sort(([first], [second]) => first - second))
}

/** The intervals with single indexes added, in any order. */
export function withIndexes(intervals: IndexIntervals, indexes: Iterable<number>): IndexIntervals {
  return mergeIndexes(
    intervals,
    [...indexes].map((index) => [index, index]),
  )
}

/** How many indexes there are. */
export function countIndexes(intervals: IndexIntervals): number {
  return intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0)
}

export function hasIndex(intervals: IndexIntervals, index: number): boolean {
  return intervals.some(([first, last]) => first <= index && index <= last)
}

/** How many indexes are in both. */
export function countCommon(a: IndexIntervals, b: IndexIntervals): number {
  let common = 0
  for (const [first, last] of a) {
    for (const [otherFirst, otherLast] of b) {
      common += Math.max(0, Math.min(last, otherLast) - Math.max(first, otherFirst) + 1)
    }
  }
  return common
}

/** The lowest `count` indexes below `completions` that are in none of the intervals. */
export function freeIndexes(taken: IndexIntervals, count: number, completions: number): number[] {
  const free: number[] = []
  let candidate = 0
  for (const [first, last] of taken) {
    for (; candidate < Math.min(first, completions) && free.length < count; candidate++) free.push(candidate)
    candidate = Math.max(candidate, last + 1)
  }
  for (; candidate < completions && free.length < count; candidate++) free.push(candidate)
  return free
}

function joined(sorted: Iterable<readonly [number, number]>): IndexIntervals {
  const result: [number, number][] = []
  for (const [first, last] of sorted) {
    const before = result.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else result.push([first, last])
  }
  return result
}
