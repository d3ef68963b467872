/** Where two values differ: `it.spec.replicas is 2 instead of 1`. */
export function differences(expected: unknown, found: unknown, path = 'it'): string[] {
  if (JSON.stringify(expected) === JSON.stringify(found)) return []
  if (!isObject(expected) || !isObject(found)) {
    return [`${path} is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`]
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(found)])
  const below = [...names].flatMap((name) => differences(expected[name], found[name], `${path}.${name}`))
  return below.length > 0 ? below : [`${path} has another order`]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
