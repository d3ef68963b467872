import { isExactNumber } from './exact-number.ts'
import { isJsonObject } from './json-value.ts'

/** JSON whose text is the same for equal values: the keys of objects are sorted, and those with the value `undefined` left out. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item)).join(',')}]`
  if (typeof value === 'bigint') return String(value)
  if (isExactNumber(value)) return value.rawJSON
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`)
    .join(',')}}`
}
