import { numberText, parseQuantity, type Quantity } from '@homeostat/api'

export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  type Quantity,
} from '@homeostat/api'

const QUANTITY_PROBLEM =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const FORM = /^[+-]?(\d*(?:\.\d*)?)([eEinumkKMGTP]*[-+]?\d*)$/
const SUFFIX = /^(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/

/** A quantity as a whole number, rounded away from zero, as Kubernetes computes with it. */
export function wholeValue({ mantissa, exponent }: Quantity): bigint {
  if (exponent >= 0) return mantissa * 10n ** BigInt(exponent)
  const factor = 10n ** BigInt(-exponent)
  const rest = mantissa % factor
  return mantissa / factor + (rest === 0n ? 0n : rest < 0n ? -1n : 1n)
}

/** Whether a quantity has no fraction. */
export function isWhole({ mantissa, exponent }: Quantity): boolean {
  return exponent >= 0 || mantissa % 10n ** BigInt(-exponent) === 0n
}

/** The API server's message for a value that is not a quantity; undefined where it is one. */
export function quantityProblem(value: unknown): string | undefined {
  if (parseQuantity(value)) return undefined
  const text = typeof value === 'string' ? value.trim() : (numberText(value) ?? '')
  const [, number = '', suffix = ''] = FORM.exec(text) ?? []
  if (text === '' || !FORM.test(text)) return QUANTITY_PROBLEM
  if (!SUFFIX.test(suffix)) return "unable to parse quantity's suffix"
  return number === '' || number === '.' ? 'unable to parse numeric part of quantity' : QUANTITY_PROBLEM
}
