/**
 * Makes a function that computes its result once for each object, and keeps it as long as the object. `compute`
 * must depend only on the object, and the object must not change; then a cached result equals a newly computed one.
 */
export function oncePerObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const results = new WeakMap<Key, Value>()
  return (key) => {
    const known = results.get(key)
    if (known !== undefined || results.has(key)) return known as Value
    const result = compute(key)
    results.set(key, result)
    return result
  }
}
