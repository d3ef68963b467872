/**
 * A number that JavaScript cannot hold exactly, as its text in JSON: a value of `JSON.rawJSON`, which
 * `JSON.stringify` writes unchanged.
 */
export interface ExactNumber {
  readonly rawJSON: string
}

/** Parts of the language that its type library does not declare yet. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): ExactNumber
  isRawJSON(value: unknown): value is ExactNumber
}

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

/**
 * Whether a value is a number that JavaScript cannot hold exactly. It is not a JSON object, although `typeof`
 * returns `'object'`.
 */
export function isExactNumber(value: unknown): value is ExactNumber {
  return json.isRawJSON(value)
}

/**
 * A whole number as a JSON value: a JavaScript number if that is exact. A number that does not fit into 64 bits
 * becomes a floating-point number.
 */
export function exactInteger(value: bigint): number | ExactNumber {
  const number = Number(value)
  if (Number.isSafeInteger(number) || value < LEAST || value > MOST) return number
  return json.rawJSON(String(value))
}

/** The text of a number in JSON; undefined for any other value. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : undefined
}

/** The nearest JavaScript number, for comparisons that tolerate a small error; undefined for any other value. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isExactNumber(value) ? Number(value.rawJSON) : undefined
}
