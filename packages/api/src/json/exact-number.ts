/**
 * A number that JavaScript cannot hold exactly, as the text that it has in JSON: what `JSON.rawJSON` makes. `JSON.stringify`
 * writes it as it stands.
 */
export interface ExactNumber {
  readonly rawJSON: string
}

/** What the language has and its type library does not name yet. */
const json = JSON as typeof JSON & {
  rawJSON(text: string): ExactNumber
  isRawJSON(value: unknown): value is ExactNumber
}

const LEAST = -(2n ** 63n)
const MOST = 2n ** 63n - 1n

/** Whether a value is a number that JavaScript cannot hold exactly. It is no object, although `typeof` says so. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return json.isRawJSON(value)
}

/** A whole number as JSON values hold it: a number where that is exact. What 64 bits do not hold becomes a fraction. */
export function exactInteger(value: bigint): number | ExactNumber {
  const number = Number(value)
  if (Number.isSafeInteger(number) || value < LEAST || value > MOST) return number
  return json.rawJSON(String(value))
}

/** The text of a number in JSON; undefined for what is no number. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return isExactNumber(value) ? value.rawJSON : undefined
}

/** The number in JavaScript that is nearest, for comparisons that can be off by a little; undefined for what is none. */
export function nearestNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return isExactNumber(value) ? Number(value.rawJSON) : undefined
}
