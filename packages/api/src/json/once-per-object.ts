/**
 * Makes a function that computes its result once for each object, and keeps it as long as the object. `compute`
 * must depend only on the object, and the object must not change; then a cached result equals a newly computed one.
 */
export function oncePerObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const results = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    let result = results.get(key)
    if (!result) results.set(key, (result = { value: compute(key) }))
    return result.value
  }
}
