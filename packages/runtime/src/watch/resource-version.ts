const [ZERO, NINE] = [48, 57]

/**
 * Compares two versions of one kind's objects: negative, 0 or positive, and `undefined` where one of them is not a
 * whole decimal number. Versions may be larger than a JavaScript number can represent.
 */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0
  if (!isVersion(a) || !isVersion(b)) return undefined
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : 1
}

function isVersion(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < ZERO || code > NINE) return false
  }
  return text.length === 1 || (text.length > 1 && text.charCodeAt(0) !== ZERO)
}
