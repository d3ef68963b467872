import { isExactNumber } from '@homeostat/api'

/** JSON as it is sent: numbers may be exact texts, and a key may stand twice. */
export type Tree = unknown
export type TreeObject = Record<string, unknown>

/** A number exactly as it is written: `1e400`, `-0`, `9223372036854775808`. */
export function number(text: string): Tree {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text)
}

/** Marks a key that stands a second time in its object. */
const AGAIN = 'again:fuzz:'

export function again(key: string): string {
  return `${AGAIN}${key}`
}

export function textOf(tree: Tree): string {
  return JSON.stringify(tree).replaceAll(`"${AGAIN}`, '"')
}

export function isTreeObject(value: unknown): value is TreeObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
}

/** Sets a key whatever its name. */
export function setKey(object: TreeObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
}

/** The value of a key of the object itself. */
function getKey(object: TreeObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

export function copyTree<T>(tree: T): T {
  if (Array.isArray(tree)) return tree.map(copyTree) as T
  if (!isTreeObject(tree)) return tree
  const copy: TreeObject = {}
  for (const key of Object.keys(tree)) setKey(copy, key, copyTree(tree[key]))
  return copy as T
}

/** Keys and indexes from the root to a value. */
export type Path = readonly (string | number)[]

export function getAt(tree: Tree, path: Path): unknown {
  let value = tree
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isTreeObject(value)) value = getKey(value, String(key))
    else return undefined
  }
  return value
}

/** Sets a value in place; a path that does not lead to an object or a list changes nothing. */
export function setAt(tree: Tree, path: Path, value: unknown): void {
  const parent = getAt(tree, path.slice(0, -1))
  const last = path.at(-1)
  if (last === undefined) return
  if (Array.isArray(parent)) parent[Number(last)] = value
  else if (isTreeObject(parent)) setKey(parent, String(last), value)
}

export function removeAt(tree: Tree, path: Path): void {
  const parent = getAt(tree, path.slice(0, -1))
  const last = path.at(-1)
  if (last === undefined) return
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (isTreeObject(parent)) delete parent[String(last)]
}

/** The path as a JSON pointer. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/**
 * A copy in which numbers that JavaScript holds exactly are written as it writes them: `1e3` and `1000.0` become `1000`. The tree itself
 * where it has none that is written otherwise.
 */
export function withPlainNumbers(tree: Tree): Tree {
  if (isExactNumber(tree)) {
    const value = Number(tree.rawJSON)
    return Number.isSafeInteger(value) ? value : tree
  }
  if (Array.isArray(tree)) {
    const items = tree.map(withPlainNumbers)
    return items.some((item, index) => item !== tree[index]) ? items : tree
  }
  if (!isTreeObject(tree)) return tree
  const copy: TreeObject = {}
  for (const key of Object.keys(tree)) setKey(copy, key, withPlainNumbers(tree[key]))
  return Object.keys(tree).some((key) => copy[key] !== tree[key]) ? copy : tree
}
