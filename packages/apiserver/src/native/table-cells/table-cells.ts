import type { PrintedObject } from '../../registry/index.ts'

/** `a=1,b=2`, sorted by key, or `<none>`. */
export function labels(map: Record<string, string> | undefined): string {
  const pairs = Object.entries(map ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${value}`)
  return pairs.join(',') || '<none>'
}

/** A label selector in the notation of `kubectl get -l`, sorted by key, or `<none>`. */
export function labelSelector(selector: PrintedObject | undefined): string {
  const terms: [key: string, text: string][] = Object.entries(selector?.matchLabels ?? {}).map(
    ([key, value]) => [key, `${key}=${String(value)}`],
  )
  for (const { key, operator, values } of selector?.matchExpressions ?? []) {
    const list = `(${(values ?? []).toSorted().join(',')})`
    const text = new Map([
      ['In', `${key} in ${list}`],
      ['NotIn', `${key} notin ${list}`],
      ['Exists', key],
      ['DoesNotExist', `!${key}`],
    ])
    terms.push([key, text.get(operator) ?? ''])
  }
  const sorted = terms.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return sorted.map(([, text]) => text).join(',') || '<none>'
}

/** The first elements of a list, joined by commas, and the number of the others. */
export function firstOf(list: readonly string[], max: number, separator = ','): string {
  const shown = list.slice(0, max).join(separator)
  return list.length > max ? `${shown} + ${list.length - max} more...` : shown
}

/** The condition of a type among an object's conditions. */
export function conditionOf(
  conditions: PrintedObject[] | undefined,
  type: string,
): PrintedObject | undefined {
  return conditions?.find((condition) => condition.type === type)
}
