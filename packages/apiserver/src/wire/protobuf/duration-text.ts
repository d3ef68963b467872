const SECOND = 1_000_000_000n

/** A duration in nanoseconds as Go writes it: `1h0m0.5s`, `1.5ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
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

const UNITS: ReadonlyMap<string, bigint> = new Map(
  Object.entries<bigint>({
    ns: 1n,
    us: 1_000n,
    µs: 1_000n,
    ms: 1_000_000n,
    s: SECOND,
    m: 60n * SECOND,
    h: 3_600n * SECOND,
  }),
)

/** The nanoseconds of a duration in Go's form; undefined for other texts. */
export function parseDuration(text: string): bigint | undefined {
  if (text === '0') return 0n
  if (!/^[+-]?(?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined
  let total = 0n
  for (const [, whole = '0', fraction = '', unit = ''] of text.matchAll(/(\d+)(?:\.(\d*))?([nuµm]?s|m|h)/g)) {
    const size = UNITS.get(unit)!
    total +=
      BigInt(whole) * size +
      (fraction === '' ? 0n : (BigInt(fraction) * size) / 10n ** BigInt(fraction.length))
  }
  return text.startsWith('-') ? -total : total
}
