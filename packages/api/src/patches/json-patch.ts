import { deepEqual } from './deep-equal.ts'
import { copyJson, isObject, setOwnValue, type JsonObject } from './json-value.ts'
import { PatchError } from './patch-error.ts'

/** One step of a JSON Patch. Paths are JSON Pointers: `/metadata/labels/app.kubernetes.io~1name`. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value?: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/** How many operations a server takes in one patch. */
export const MAX_JSON_PATCH_OPERATIONS = 10_000
/** How much a patch may copy in all, in characters of JSON: copies of copies would else grow without end. */
const MAX_COPIED = 3 * 1024 * 1024

/**
 * The document with a JSON Patch (RFC 6902) applied: all of it, or a {@link PatchError} that names the
 * operation. Neither argument is changed. Like Kubernetes, and unlike the RFC, `replace` may add a key,
 * an absent key passes a test for null, and a negative index counts from the end of a list.
 */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  checkOperations(operations)
  // The document hangs below a key of its own, so that the root is changed like everything else.
  const root: JsonObject = { '': copyJson(document) }
  let copied = 0
  for (const [index, operation] of operations.entries()) {
    try {
      if (operation.op === 'copy') copied += sizeOf(read(placeOf(root, operation.from)))
      if (copied > MAX_COPIED) throw new Misfit(`the patch copies more than ${MAX_COPIED} characters`)
      applyOperation(root, operation)
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      throw new PatchError(
        'PATCH_FAILED',
        `the JSON patch does not fit the object: operation ${index}, ${operation.op} ${JSON.stringify(operation.path)}: ${error.message}`,
      )
    }
  }
  return root['']
}

/** Why an operation does not fit the document; its caller knows which one it was. */
class Misfit extends Error {}

/** A place in the document: a key of an object, or an index of a list. */
interface Place {
  readonly parent: JsonObject | unknown[]
  readonly key: string
}

function applyOperation(root: JsonObject, operation: JsonPatchOperation): void {
  switch (operation.op) {
    case 'add':
      add(placeOf(root, operation.path), copyJson(operation.value ?? null))
      break
    case 'replace': {
      const place = placeOf(root, operation.path)
      if (Array.isArray(place.parent)) place.parent[existingIndex(place)] = copyJson(operation.value ?? null)
      else setOwnValue(place.parent, place.key, copyJson(operation.value ?? null))
      break
    }
    case 'remove':
      if (operation.path === '') throw new Misfit('the whole object cannot be removed')
      remove(placeOf(root, operation.path))
      break
    case 'test':
      if (!deepEqual(read(placeOf(root, operation.path)), operation.value ?? null)) {
        throw new Misfit('the value there is another')
      }
      break
    case 'copy':
      add(placeOf(root, operation.path), copyJson(read(placeOf(root, operation.from))))
      break
    case 'move': {
      if (operation.path.startsWith(`${operation.from}/`)) throw new Misfit('nothing moves into itself')
      const from = placeOf(root, operation.from)
      const value = read(from)
      remove(from)
      add(placeOf(root, operation.path), value)
    }
  }
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}

function add(place: Place, value: unknown): void {
  if (!Array.isArray(place.parent)) return setOwnValue(place.parent, place.key, value)
  const { parent, key } = place
  const length = parent.length
  const index = key === '-' ? length : parseIndex(key)
  if (index > length || index < -(length + 1)) throw new Misfit(`the list has ${length} items`)
  parent.splice(index < 0 ? index + length + 1 : index, 0, value)
}

function remove(place: Place): void {
  if (Array.isArray(place.parent)) place.parent.splice(existingIndex(place), 1)
  else if (!Object.hasOwn(place.parent, place.key)) throw new Misfit('there is nothing')
  else delete place.parent[place.key]
}

function read(place: Place): unknown {
  if (Array.isArray(place.parent)) return place.parent[existingIndex(place)]
  return Object.hasOwn(place.parent, place.key) ? place.parent[place.key] : null
}

/** Finds the place that a pointer names. All that lies before it must be there. */
function placeOf(root: JsonObject, pointer: string): Place {
  const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  let parent: unknown = root
  for (const key of keys.slice(0, -1)) {
    const place = { parent: parent as JsonObject | unknown[], key }
    parent = read(place)
    if (!isObject(parent) && !Array.isArray(parent)) {
      throw new Misfit(`there is no object or list at ${JSON.stringify(key)} of ${JSON.stringify(pointer)}`)
    }
  }
  return { parent: parent as JsonObject | unknown[], key: keys.at(-1)! }
}

function existingIndex(place: Place): number {
  const { length } = place.parent as unknown[]
  const index = parseIndex(place.key)
  if (index >= length || index < -length) throw new Misfit(`the list has ${length} items`)
  return index < 0 ? index + length : index
}

function parseIndex(key: string): number {
  if (!/^[+-]?\d{1,15}$/.test(key)) throw new Misfit(`${JSON.stringify(key)} is not an index of a list`)
  return Number(key)
}

function checkOperations(operations: readonly JsonPatchOperation[]): void {
  if (!Array.isArray(operations))
    throw new PatchError('PATCH_INVALID', 'a JSON patch is a list of operations')
  if (operations.length > MAX_JSON_PATCH_OPERATIONS) {
    throw new PatchError(
      'PATCH_TOO_LARGE',
      `The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${operations.length}`,
    )
  }
  for (const [index, operation] of operations.entries()) {
    if (!isObject(operation)) {
      throw new PatchError('PATCH_INVALID', `operation ${index} of the JSON patch: it must be an object`)
    }
    const problem = operationProblem(operation)
    if (problem) throw new PatchError('PATCH_FAILED', `operation ${index} of the JSON patch: ${problem}`)
  }
}

function operationProblem(operation: JsonObject): string | undefined {
  const { op, path, from } = operation
  if (!['add', 'remove', 'replace', 'move', 'copy', 'test'].includes(op as string)) {
    return `op must be add, remove, replace, move, copy or test, not ${JSON.stringify(op)}`
  }
  if (!isPointer(path)) return 'path must be a JSON pointer: empty, or beginning with "/"'
  if ((op === 'move' || op === 'copy') && !isPointer(from)) {
    return 'from must be a JSON pointer: empty, or beginning with "/"'
  }
  return undefined
}

function isPointer(value: unknown): boolean {
  return typeof value === 'string' && (value === '' || value.startsWith('/'))
}
