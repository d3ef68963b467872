/** A range of costs or sizes. Numbers are whole and end at 2^64, as the API server counts them. */
export interface Range {
  readonly min: number
  readonly max: number
}

const MOST = 2 ** 64

/** The estimate for values about which nothing is known. */
export const UNKNOWN: Range = { min: 0, max: MOST }
export const ZERO: Range = { min: 0, max: 0 }
export const ONE: Range = { min: 1, max: 1 }

/** A range of one value. */
export function exactly(value: number): Range {
  return { min: value, max: value }
}

/** The sum of two ranges. */
export function add(a: Range, b: Range): Range {
  return { min: Math.min(a.min + b.min, MOST), max: Math.min(a.max + b.max, MOST) }
}

/** The product of two ranges. */
export function multiply(a: Range, b: Range): Range {
  return { min: Math.min(a.min * b.min, MOST), max: Math.min(a.max * b.max, MOST) }
}

/** A range times a factor, rounded up. */
export function scale(range: Range, factor: number): Range {
  return {
    min: Math.min(Math.ceil(range.min * factor), MOST),
    max: Math.min(Math.ceil(range.max * factor), MOST),
  }
}

/** The range that holds both. */
export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }
}
