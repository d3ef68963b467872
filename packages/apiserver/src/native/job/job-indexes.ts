import { quote } from '../../schema/index.ts'

/** Counts the indexes in a text such as `0-2,5`, or returns the error. */
export function validateIndexes(text: string, completions: number): number | string {
  if (text === '') return 0
  let last: number | undefined
  let total = 0
  for (const part of text.split(',')) {
    const interval = intervalOf(part, completions)
    if (typeof interval === 'string') return interval
    const [from, to] = interval
    if (last !== undefined && last >= from) {
      return `non-increasing order, previous: ${last}, current: ${from}`
    }
    total += to - from + 1
    last = to
  }
  return total
}

/** The valid intervals of a text. */
export function intervalsOf(text: string, completions: number): (readonly [number, number])[] {
  if (text === '') return []
  return text
    .split(',')
    .map((part) => intervalOf(part, completions))
    .filter((interval) => typeof interval !== 'string')
}

function intervalOf(text: string, completions: number): readonly [number, number] | string {
  const limits = text.split('-')
  if (limits.length > 2) {
    return `the fragment ${quote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`
  }
  const numbers: number[] = []
  for (const limit of limits) {
    if (!/^[+-]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${quote(limit)}`
    if (Number(limit) >= completions) return `too large index: ${quote(limit)}`
    numbers.push(Number(limit))
  }
  const [from = 0, to = from] = numbers
  if (numbers.length > 1 && from >= to) return `non-increasing order, previous: ${from}, current: ${to}`
  return [from, to]
}
