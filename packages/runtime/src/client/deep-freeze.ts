/**
 * Freezes plain JSON from the leaves up, so that a frozen root says that all of it is: freezing the same
 * object again costs nothing.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) {
    for (const item of value) deepFreeze(item)
  } else {
    for (const key in value) deepFreeze(value[key])
  }
  return Object.freeze(value)
}
