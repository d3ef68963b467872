import { numberText } from '../json/index.ts'

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const NANO = -9
const MOST_BINARY = 2n ** 63n - 1n

/** A quantity: `mantissa · 10^exponent`, and how it was written. */
export interface Quantity {
  readonly mantissa: bigint
  readonly exponent: number
  readonly form: 'decimal' | 'binary' | 'exponent'
}

/**
 * Reads a quantity such as `500m`, `1.5Gi` or `12e6`; `undefined` for anything else. Fractions below a nano are
 * rounded up.
 */
export function parseQuantity(value: unknown): Quantity | undefined {
  const text = typeof value === 'string' ? value : numberText(value)
  if (text === undefined) return undefined
  const match = PATTERN.exec(text.trim())
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', suffix = ''] = match
  // As in Kubernetes, a sign alone is zero.
  const nothing = whole === '' && fraction === '' && !text.includes('.')
  if (nothing && (sign === '' || suffix !== '')) return undefined
  let mantissa = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`.replace(/^-?$/, '0'))
  let exponent = -fraction.length
  let form: Quantity['form'] = 'decimal'
  if (suffix.endsWith('i')) {
    form = 'binary'
    mantissa *= 1024n ** BigInt(BINARY.indexOf(suffix))
    // As much as 64 bits hold, and no more.
    const most = MOST_BINARY * 10n ** BigInt(-exponent)
    if (mantissa > most) mantissa = most
  } else if (/^[eE][+-]?\d/.test(suffix)) {
    form = 'exponent'
    exponent += Number(suffix.slice(1))
  } else {
    exponent += (DECIMAL.indexOf(suffix) - 3) * 3
  }
  if (!Number.isSafeInteger(exponent) || Math.abs(exponent) > 1_000) return undefined
  return exponent < NANO ? roundUp(mantissa, exponent, NANO, form) : { mantissa, exponent, form }
}

/** A quantity as the API server writes it: the largest suffix that leaves a whole number. */
export function canonicalQuantity(quantity: Quantity): string {
  let { mantissa, exponent } = quantity
  if (mantissa === 0n) return '0'
  if (quantity.form === 'binary') {
    const whole =
      exponent < 0 ? roundUp(mantissa, exponent, 0, 'binary').mantissa : mantissa * 10n ** BigInt(exponent)
    if (whole <= -1024n || whole >= 1024n) {
      let rest = whole
      let power = 0
      while (rest % 1024n === 0n && power < BINARY.length - 1) {
        rest /= 1024n
        power++
      }
      return `${rest}${BINARY[power]}`
    }
  }
  while (mantissa % 10n === 0n) {
    mantissa /= 10n
    exponent++
  }
  while (exponent % 3 !== 0) {
    mantissa *= 10n
    exponent--
  }
  if (exponent > 18 && quantity.form !== 'exponent') {
    mantissa *= 10n ** BigInt(exponent - 18)
    exponent = 18
  }
  if (quantity.form === 'exponent') return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`
  return `${mantissa}${DECIMAL[exponent / 3 + 3]}`
}

/** Which of two quantities is larger: negative, zero or positive as in a sort. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const exponent = Math.min(a.exponent, b.exponent)
  const left = a.mantissa * 10n ** BigInt(a.exponent - exponent)
  const right = b.mantissa * 10n ** BigInt(b.exponent - exponent)
  return left === right ? 0 : left < right ? -1 : 1
}

/** The sum of two quantities. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent)
  const shifted = ({ mantissa, exponent: own }: Quantity): bigint => mantissa * 10n ** BigInt(own - exponent)
  return { mantissa: shifted(a) + shifted(b), exponent, form: a.form }
}

function roundUp(mantissa: bigint, exponent: number, to: number, form: Quantity['form']): Quantity {
  const factor = 10n ** BigInt(to - exponent)
  const whole = mantissa / factor
  const rest = mantissa % factor
  const away = rest === 0n ? 0n : mantissa < 0n ? -1n : 1n
  return { mantissa: whole + away, exponent: to, form }
}
