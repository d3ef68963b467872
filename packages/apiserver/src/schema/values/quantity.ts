import { numberText, parseQuantity } from '@homeostat/api'

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

/** The API server's message for a value that is not a quantity; undefined where it is one. */
export function quantityProblem(value: unknown): string | undefined {
  if (parseQuantity(value)) return undefined
  const text = typeof value === 'string' ? value.trim() : (numberText(value) ?? '')
  const [, number = '', suffix = ''] = FORM.exec(text) ?? []
  if (text === '' || !FORM.test(text)) return QUANTITY_PROBLEM
  if (!SUFFIX.test(suffix)) return "unable to parse quantity's suffix"
  return number === '' || number === '.' ? 'unable to parse numeric part of quantity' : QUANTITY_PROBLEM
}
