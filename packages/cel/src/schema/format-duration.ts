import { parseDuration } from '../values/time.ts'

const MILLISECOND = 1_000_000n
const SECOND = 1_000n * MILLISECOND
/** The names of each unit; the last also stands for words that begin with it. */
const UNITS: readonly (readonly [nanos: bigint, names: readonly string[]])[] = [
  [1n, ['ns', 'nano']],
  [1_000n, ['us', '\u00b5s', 'micro']],
  [MILLISECOND, ['ms', 'milli']],
  [SECOND, ['s', 'sec']],
  [60n * SECOND, ['m', 'min']],
  [3600n * SECOND, ['h', 'hr', 'hour']],
  [86_400n * SECOND, ['d', 'day']],
  [604_800n * SECOND, ['w', 'wk', 'week']],
]

/** The nanoseconds of a text of the format `duration`: `1h30m`, or words such as `2 days`. */
export function formatDurationNanos(text: string): bigint | undefined {
  const nanos = parseDuration(text)
  if (nanos !== undefined) return nanos
  let sum: bigint | undefined
  for (const [, count, word] of text.matchAll(/(\d+)\s*([A-Za-z\u00b5]+)/g)) {
    const unit = word!.toLowerCase()
    for (const [size, names] of UNITS) {
      if (names.includes(unit) || unit.startsWith(names.at(-1)!)) sum = (sum ?? 0n) + BigInt(count!) * size
    }
  }
  return sum
}
