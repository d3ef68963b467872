/** Memory at one moment. */
export interface MemorySample {
  /** Since the beginning. */
  readonly seconds: number
  /** The size of the heap after a collection, in bytes. */
  readonly heap: number
  readonly resident: number
}

/** How memory went. */
export interface MemoryTrend {
  /** How far the line through all samples rises from the first to the last, in bytes. */
  readonly growth: number
  /** Whether that is no more than chance explains. */
  readonly flat: boolean
  readonly first: number
  readonly last: number
}

/**
 * Memory that does not grow still varies: a heap from one collection to the next, and resident memory with the pages
 * that allocators keep. In bytes, or as a part of the whole where that is more.
 */
const TOLERATED = {
  heap: { bytes: 2 * 1024 * 1024, part: 0.03 },
  resident: { bytes: 16 * 1024 * 1024, part: 0.1 },
} as const
/** The first part is left out: code is compiled, tables find their size, and allocators find out what they keep. */
const WARM_UP = { heap: 0.2, resident: 0.5 } as const

/** The line of least squares through the samples, the beginning left out. */
export function memoryTrend(samples: readonly MemorySample[], what: 'heap' | 'resident'): MemoryTrend {
  const rest = samples.slice(Math.floor(samples.length * WARM_UP[what]))
  const mean = (read: (sample: MemorySample) => number): number =>
    rest.reduce((sum, sample) => sum + read(sample), 0) / rest.length
  const [x, y] = [mean(({ seconds }) => seconds), mean((sample) => sample[what])]
  const above = rest.reduce((sum, sample) => sum + (sample.seconds - x) * (sample[what] - y), 0)
  const below = rest.reduce((sum, { seconds }) => sum + (seconds - x) ** 2, 0)
  const [first, last] = [rest[0]!, rest.at(-1)!]
  const slope = below === 0 ? 0 : above / below
  const growth = slope * (last.seconds - first.seconds)
  const { bytes, part } = TOLERATED[what]
  const flat = growth <= Math.max(bytes, part * last[what])
  return { growth, flat, first: first[what], last: last[what] }
}
