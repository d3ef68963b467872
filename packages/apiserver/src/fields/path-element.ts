import { isExactNumber, parseJson } from '@homeostat/api'
import { isObject, jsonText, numberText, objectOf, quote } from '../schema/index.ts'

/**
 * One step of the path to a field, in the form that managed fields write it:
 *
 * - `f:name` for a field
 * - `k:{"name":"a"}` for the element of a list with these keys
 * - `v:"a"` for that value in a set
 * - `i:0` for a place in a list
 *
 * The form is canonical: the same step is always the same text.
 */
export type PathElement = `${'f' | 'k' | 'v' | 'i'}:${string}`

/** The step to a field of an object. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`
}

/** The step to the element of a list with these values of its keys. No key is given twice. */
export function keyElement(keys: readonly (readonly [key: string, value: unknown])[]): PathElement {
  const sorted = keys.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `k:{${sorted.map(([key, value]) => `${jsonText(key)}:${jsonText(value)}`).join(',')}}`
}

/** Steps to elements with one key that were made lately, by the value of the key. Many objects have elements of the same names. */
const recent = new Map<string, { readonly key: string; readonly element: PathElement }>()
const MOST_RECENT = 1_000
const LONGEST_RECENT = 64

/** The step to the element of a list whose only key has this value. */
export function oneKeyElement(key: string, value: unknown): PathElement {
  const isShort = typeof value === 'string' && value.length <= LONGEST_RECENT
  const known = isShort ? recent.get(value) : undefined
  if (known?.key === key) return known.element
  const element: PathElement = `k:{${jsonText(key)}:${jsonText(value)}}`
  if (isShort) {
    if (recent.size >= MOST_RECENT) recent.clear()
    recent.set(value, { key, element })
  }
  return element
}

/** The step to a value of a set. */
export function valueElement(value: unknown): PathElement {
  return `v:${jsonText(value)}`
}

/** Parses a step into its canonical form; `undefined` for a step of an unknown kind. */
export function parseElement(text: string): PathElement | undefined {
  const rest = text.slice(2)
  switch (text.slice(0, 2)) {
    case 'f:':
      return fieldElement(rest)
    case 'k:': {
      const keys: unknown = parseJson(rest)
      if (!isObject(keys)) throw new SyntaxError(`the keys of ${text} are not an object`)
      return keyElement(Object.entries(keys))
    }
    case 'v:':
      return valueElement(parseJson(rest))
    case 'i:':
      if (!/^-?\d+$/.test(rest)) throw new SyntaxError(`the index of ${text} is not a number`)
      return `i:${Number(rest)}`
    default:
      return undefined
  }
}

/** A step as messages show it: `.name`, `[name="a"]`, `[="a"]`, `[0]`. */
export function elementText(element: PathElement): string {
  const rest = element.slice(2)
  if (element.startsWith('f:')) return `.${rest}`
  if (element.startsWith('i:')) return `[${rest}]`
  const value: unknown = parseJson(rest)
  if (element.startsWith('v:')) return `[=${valueText(value)}]`
  const keys = Object.entries(objectOf(value))
  return `[${keys.map(([name, key]) => `${name}=${valueText(key)}`).join(',')}]`
}

/** A path as messages show it: `.spec.containers[name="a"].image`. */
export function pathText(path: readonly PathElement[]): string {
  return path.map((element) => elementText(element)).join('')
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  return typeof value === 'number' ? numberText(value) : jsonText(value)
}

const ORDER = 'fkvi'

/** Compares steps in the order of managed fields: fields, then keys, values and indexes, each by content. */
export function sortElements(elements: PathElement[]): PathElement[] {
  if (elements.length < 2) return elements
  if (elements.every((element) => element.startsWith('f:')) || haveSimpleKey(elements))
    return byText(elements)
  const read = elements.map((element) => ({
    element,
    kind: ORDER.indexOf(element.charAt(0)),
    value: valueOf(element),
  }))
  read.sort((a, b) => a.kind - b.kind || compareHeld(a.value, b.value))
  return read.map(({ element }) => element)
}

/** The rest of a step to an element by one key, whose text sorts as its value does: all characters come after the quote. */
const SIMPLE_VALUE = /^[#-[\]-~]*"\}$/

/** Whether all steps are to elements by the same single key, and sort as their texts do. */
function haveSimpleKey(elements: readonly PathElement[]): boolean {
  const [first = ''] = elements
  const end = first.startsWith('k:{"') ? first.indexOf('":"') : -1
  if (end < 0) return false
  const start = first.slice(0, end + 3)
  return elements.every(
    (element) => element.startsWith(start) && SIMPLE_VALUE.test(element.slice(start.length)),
  )
}

/** Up to this many texts are sorted by insertion, which for so few takes a fraction of the time of `Array.sort`. */
const FEW = 16

function byText(elements: PathElement[]): PathElement[] {
  if (elements.length > FEW) return elements.sort()
  elements.forEach((element, index) => {
    let place = index
    for (; place > 0; place--) {
      const before = elements[place - 1]
      if (before === undefined || before <= element) break
      elements[place] = before
    }
    elements[place] = element
  })
  return elements
}

function valueOf(element: PathElement): unknown {
  const rest = element.slice(2)
  if (element.startsWith('f:')) return rest
  const value = parseJson(rest)
  return isObject(value) ? new Keys(value) : value
}

function compareHeld(a: unknown, b: unknown): number {
  return a instanceof Keys && b instanceof Keys ? compareKeys(a.entries, b.entries) : compareValues(a, b)
}

/** The keys of an element, read once for all comparisons. */
class Keys {
  readonly entries: readonly (readonly [string, unknown])[]

  constructor(keys: Readonly<Record<string, unknown>>) {
    this.entries = Object.entries(keys)
  }
}

function compareKeys(
  left: readonly (readonly [string, unknown])[],
  right: readonly (readonly [string, unknown])[],
): number {
  for (let index = 0; index < left.length; index++) {
    const [one, other] = [left[index], right[index]]
    if (!one || !other) break
    const [name, value] = one
    const [otherName, otherValue] = other
    if (name !== otherName) return name < otherName ? -1 : 1
    const order = compareValues(value, otherValue)
    if (order !== 0) return order
  }
  return left.length - right.length
}

const TYPES = ['number', 'string', 'boolean', 'object']

function orderOf(value: unknown): number {
  return typeof value === 'bigint' ? 0 : TYPES.indexOf(typeof value)
}

function compareValues(a: unknown, b: unknown): number {
  if (isExactNumber(a)) return compareValues(BigInt(a.rawJSON), b)
  if (isExactNumber(b)) return compareValues(a, BigInt(b.rawJSON))
  if (orderOf(a) !== orderOf(b)) return orderOf(a) - orderOf(b)
  if (a === b) return 0
  return (a as string) < (b as string) ? -1 : 1
}
