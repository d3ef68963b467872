/**
 * Freezes a value that was written, from the leaves up. Drops keys whose value is undefined, which its JSON does not
 * have either.
 */
export function freezeWritten<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) freezeWritten(value[index])
  } else {
    // JSON has no inherited keys, and `for … in` makes no list of the keys.
    for (const key in value) {
      const part = value[key]
      if (part === undefined) delete value[key]
      else if (typeof part === 'object') freezeWritten(part)
    }
  }
  return Object.freeze(value)
}
