import { isExactNumber, isJsonObject } from '@homeostat/api'

/** JSON whose text is the same for equal values, whatever the order of their keys. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item)).join(',')}]`
  if (typeof value === 'bigint') return String(value)
  if (isExactNumber(value)) return value.rawJSON
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`).join(',')}}`
}
