/**
 * Makes a function that computes its result once for each object, and keeps it as long as the object. `compute` must depend on the
 * object alone, and the object must not change: then no caller can tell a kept result from a computed one.
 */
export function oncePerObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const results = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    let result = results.get(key)
    if (!result) results.set(key, (result = { value: compute(key) }))
    return result.value
  }
}
