import { deepEqual } from '@homeostat/api'

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44]
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93]

/**
 * The members of a JSON object, each as its own text: enough to tell what differs between two. The text is JSON as
 * API servers write it, without white space.
 */
export function jsonMembers(text: string): Map<string, string> {
  const members = new Map<string, string>()
  for (let at = 1; text.charCodeAt(at) === QUOTE;) {
    const colon = endOfString(text, at)
    const end = endOfValue(text, colon + 1)
    members.set(text.slice(at + 1, colon - 1), text.slice(colon + 1, end))
    at = end + 1
  }
  return members
}

/**
 * The names of the members that differ between two texts of objects. Versions of one object nearly always have the
 * same members in the same order: then only the names are copied.
 */
export function differingTexts(one: string, other: string): Set<string> {
  const differing = new Set<string>()
  let [at, there] = [1, 1]
  while (one.charCodeAt(at) === QUOTE && other.charCodeAt(there) === QUOTE) {
    const [colon, colonThere] = [endOfString(one, at), endOfString(other, there)]
    if (!isSame(one, at, colon, other, there, colonThere)) break
    const [end, endThere] = [endOfValue(one, colon + 1), endOfValue(other, colonThere + 1)]
    if (!isSame(one, colon, end, other, colonThere, endThere)) differing.add(one.slice(at + 1, colon - 1))
    at = end + 1
    there = endThere + 1
  }
  if (at >= one.length && there >= other.length) return differing
  return differingMembers(jsonMembers(one), jsonMembers(other))
}

/** The names of the members that only one of them has, or that differ. */
function differingMembers(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): Set<string> {
  const differing = new Set<string>()
  for (const [name, value] of one) if (other.get(name) !== value) differing.add(name)
  for (const name of other.keys()) if (!one.has(name)) differing.add(name)
  return differing
}

/** The same for two objects that were parsed. */
export function changedMembers(one: object, other: object): Set<string> {
  const differing = new Set<string>()
  const there = new Map<string, unknown>(Object.entries(other))
  for (const [name, value] of Object.entries(one)) {
    if (!deepEqual(value, there.get(name))) differing.add(name)
    there.delete(name)
  }
  for (const [name, value] of there) if (value !== undefined) differing.add(name)
  return differing
}

function isSame(
  one: string,
  start: number,
  end: number,
  other: string,
  startThere: number,
  endThere: number,
) {
  if (end - start !== endThere - startThere) return false
  for (let at = start, there = startThere; at < end; at++, there++) {
    if (one.charCodeAt(at) !== other.charCodeAt(there)) return false
  }
  return true
}

/** One past the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at++
  }
  return text.length
}

/** One past the value's last character. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at) - 1
    else if (code === OPEN || code === OPEN_LIST) depth++
    else if (code === CLOSE || code === CLOSE_LIST) {
      if (depth-- === 0) return at
    } else if (code === COMMA && depth === 0) return at
  }
  return text.length
}
