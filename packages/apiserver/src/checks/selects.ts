import { isObject, listOf, objectOf } from '../schema/index.ts'

/** Whether a valid selector matches these labels. An empty selector matches all; an absent one matches none. */
export function selects(selector: unknown, labels: unknown): boolean {
  if (!isObject(selector)) return false
  const have = objectOf(labels)
  for (const [key, value] of Object.entries(objectOf(selector['matchLabels']))) {
    if (!Object.hasOwn(have, key) || have[key] !== value) return false
  }
  return listOf(selector['matchExpressions']).every((item) => {
    const { key, operator, values } = objectOf(item)
    const value = Object.hasOwn(have, String(key)) ? have[String(key)] : undefined
    switch (operator) {
      case 'In':
        return value !== undefined && listOf(values).includes(value)
      case 'NotIn':
        return value === undefined || !listOf(values).includes(value)
      case 'Exists':
        return value !== undefined
      default:
        return value === undefined
    }
  })
}
