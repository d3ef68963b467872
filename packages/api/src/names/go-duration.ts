const SECOND = 1_000_000_000n
const LONGEST = 2n ** 63n

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3_600n * SECOND],
])
/** How many digits of a fraction count. */
const MOST_DIGITS = 18
const GO_DURATION = /^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$/

/** The nanoseconds of a text that Go reads as a duration, such as `1h30m` or `-1.5s`; `undefined` for other texts. */
export function parseGoDuration(text: string): bigint | undefined {
  const sign = /^[+-]/.exec(text)?.[0]
  const body = sign === undefined ? text : text.slice(1)
  if (body === '0') return 0n
  if (!GO_DURATION.test(body)) return undefined
  let nanoseconds = 0n
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(
    /(\d*)(?:\.(\d*))?([a-z\u00b5\u03bc]+)/g,
  )) {
    const scale = UNITS.get(unit) ?? 0n
    const count = wholeNumber(whole || '0')
    if (count === undefined) return undefined
    nanoseconds += count * scale
    const digits = fraction.slice(0, MOST_DIGITS)
    nanoseconds += (BigInt(digits || '0') * scale) / 10n ** BigInt(digits.length)
  }
  const signed = sign === '-' ? -nanoseconds : nanoseconds
  return isGoDuration(signed) ? signed : undefined
}

/** A number of up to 64 bits; `undefined` for a longer one, which may have millions of digits. */
function wholeNumber(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+(?=\d)/, '')
  if (significant.length > 19) return undefined
  const number = BigInt(significant)
  return number <= LONGEST ? number : undefined
}

/** Whether Go can express a duration in nanoseconds: at most about 292 years, positive or negative. */
export function isGoDuration(nanoseconds: bigint): boolean {
  return nanoseconds >= -LONGEST && nanoseconds < LONGEST
}

/** The units of the format `duration` of a schema: their symbols, and how their words begin. */
const WORDS: readonly (readonly [nanoseconds: bigint, symbols: readonly string[], word: string])[] = [
  [1n, ['ns'], 'nano'],
  [1_000n, ['us', '\u00b5s'], 'micro'],
  [1_000_000n, ['ms'], 'milli'],
  [SECOND, ['s'], 'sec'],
  [60n * SECOND, ['m'], 'min'],
  [3600n * SECOND, ['h', 'hr'], 'hour'],
  [86_400n * SECOND, ['d'], 'day'],
  [604_800n * SECOND, ['w', 'wk'], 'week'],
]

/** The nanoseconds of a text of the format `duration` of a schema: `1h30m`, or words such as `2 days`; `undefined` for other texts. */
export function parseFormatDuration(text: string): bigint | undefined {
  const nanoseconds = parseGoDuration(text)
  if (nanoseconds !== undefined) return nanoseconds
  let sum: bigint | undefined
  for (const [, count = '', name = ''] of text.matchAll(/(\d+)\s*([A-Za-z\u00b5]+)/g)) {
    const number = wholeNumber(count)
    if (number === undefined) return undefined
    const unit = name.toLowerCase()
    for (const [size, symbols, word] of WORDS) {
      if (symbols.includes(unit) || unit.startsWith(word)) sum = (sum ?? 0n) + number * size
    }
  }
  return sum
}

/** A duration in nanoseconds as Go writes it: `1h0m0.5s`, `1.5ms`, `0s`. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s'
  const sign = nanoseconds < 0n ? '-' : ''
  const total = nanoseconds < 0n ? -nanoseconds : nanoseconds
  if (total < 1_000n) return `${sign}${total}ns`
  if (total < 1_000_000n) return `${sign}${decimal(total, 3)}µs`
  if (total < SECOND) return `${sign}${decimal(total, 6)}ms`
  const minutes = total / (60n * SECOND)
  const seconds = `${decimal(total - minutes * 60n * SECOND, 9)}s`
  if (minutes === 0n) return `${sign}${seconds}`
  const hours = minutes / 60n
  return `${sign}${hours > 0n ? `${hours}h` : ''}${minutes % 60n}m${seconds}`
}

/** The number with a point before its last digits, and without zeros at its end. */
function decimal(value: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits)
  const fraction = String(value % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(value / unit) : `${value / unit}.${fraction}`
}
