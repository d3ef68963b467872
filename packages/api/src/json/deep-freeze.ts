/**
 * Freezes plain JSON from the leaves up. A frozen root then means that the whole value is frozen, so freezing it
 * again costs nothing.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) deepFreeze(value[index])
  } else {
    // JSON has no inherited keys, and this way no list of them is made.
    for (const key in value) deepFreeze(value[key])
  }
  return Object.freeze(value)
}
