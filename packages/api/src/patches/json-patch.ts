import { copyJson, deepEqual, isJsonObject, setKey, type JsonObject } from '../json/index.ts'
import { PatchError } from './patch-error.ts'

/** One step of a JSON Patch. Paths are JSON Pointers: `/metadata/labels/app.kubernetes.io~1name`. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: JsonPointer; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: JsonPointer }
  | { readonly op: 'move' | 'copy'; readonly from: JsonPointer; readonly path: JsonPointer }

/** A path in a JSON document. The empty one names the document itself. */
export type JsonPointer = '' | `/${string}`

/** How many operations a server takes in one patch. */
export const MAX_JSON_PATCH_OPERATIONS = 10_000
/** How much a patch may copy in all, in characters of JSON: otherwise copies of copies could grow without end. */
const MAX_COPIED = 3 * 1024 * 1024

/**
 * Applies a JSON Patch (RFC 6902) to a document, and returns the result. Either all operations take effect, or none: then it
 * throws a {@link PatchError} that names the operation. Neither argument is changed. Like Kubernetes, and unlike the RFC,
 * `replace` may add a key, an absent key passes a test for null, a negative index counts from the end of a list, and only
 * `replace` and `test` take the whole document.
 */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const steps = jsonPatchSteps(document, operations)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/**
 * Applies a JSON patch as {@link applyJsonPatch} does, one operation at a time, so that the caller can do other things
 * in between. Yields how many items of a list each operation moved, and returns the document.
 */
export function* jsonPatchSteps(
  document: unknown,
  operations: readonly JsonPatchOperation[],
): Generator<number, unknown, void> {
  checkOperations(operations)
  // The document is a member of another object, so that its root is changed like every other part.
  const root: JsonObject = { '': copyJson(document) }
  let copied = 0
  for (const [index, operation] of operations.entries()) {
    let moved: number
    try {
      if (operation.op === 'copy') copied += sizeOf(read(placeOf(root, operation.from)))
      if (copied > MAX_COPIED) throw new Misfit(`the patch copies more than ${MAX_COPIED} characters`)
      moved = applyOperation(root, operation)
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      throw new PatchError(
        'PATCH_FAILED',
        `the JSON patch does not fit the object: operation ${index}, ${operation.op} ${JSON.stringify(operation.path)}: ${error.message}`,
      )
    }
    yield moved
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

/** How many items of a list it moved. */
function applyOperation(root: JsonObject, operation: JsonPatchOperation): number {
  switch (operation.op) {
    case 'add':
      return add(placeOf(root, operation.path), copyJson(operation.value ?? null))
    case 'replace': {
      const place = placeOf(root, operation.path)
      if (Array.isArray(place.parent)) place.parent[existingIndex(place)] = copyJson(operation.value ?? null)
      else setKey(place.parent, place.key, copyJson(operation.value ?? null))
      return 0
    }
    case 'remove':
      return remove(placeOf(root, operation.path))
    case 'test':
      if (!deepEqual(read(placeOf(root, operation.path)), operation.value ?? null)) {
        throw new Misfit('the value at this path is different')
      }
      return 0
    case 'copy':
      return add(placeOf(root, operation.path), copyJson(read(placeOf(root, operation.from))))
    case 'move': {
      if (operation.path.startsWith(`${operation.from}/`))
        throw new Misfit('a value cannot be moved into itself')
      const from = placeOf(root, operation.from)
      const value = read(from)
      return remove(from) + add(placeOf(root, operation.path), value)
    }
  }
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}

function add(place: Place, value: unknown): number {
  const { parent, key } = place
  if (!Array.isArray(parent)) {
    setKey(parent, key, value)
    return 0
  }
  const length = parent.length
  const index = key === '-' ? length : parseIndex(key)
  if (index > length || index < -(length + 1)) throw new Misfit(`the list has ${length} items`)
  const position = index < 0 ? index + length + 1 : index
  parent.splice(position, 0, value)
  return length - position
}

function remove(place: Place): number {
  const { parent, key } = place
  if (Array.isArray(parent)) {
    const index = existingIndex(place)
    parent.splice(index, 1)
    return parent.length - index
  }
  if (!Object.hasOwn(parent, key)) throw new Misfit('nothing exists at this path')
  delete parent[key]
  return 0
}

function read(place: Place): unknown {
  if (Array.isArray(place.parent)) return place.parent[existingIndex(place)]
  return Object.hasOwn(place.parent, place.key) ? place.parent[place.key] : null
}

/** Finds the place that a pointer names. All places before it must exist. */
function placeOf(root: JsonObject, pointer: string): Place {
  const [, ...names] = pointer.split('/')
  const keys = ['', ...names.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))]
  let parent: unknown = root
  for (const key of keys.slice(0, -1)) {
    const place = { parent: parent as JsonObject | unknown[], key }
    parent = read(place)
    if (!isJsonObject(parent) && !Array.isArray(parent)) {
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

function checkOperations(operations: readonly (JsonPatchOperation | null)[]): void {
  if (!Array.isArray(operations))
    throw new PatchError('PATCH_INVALID', 'a JSON patch is a list of operations')
  if (operations.length > MAX_JSON_PATCH_OPERATIONS) {
    throw new PatchError(
      'PATCH_TOO_LARGE',
      `The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${operations.length}`,
    )
  }
  for (const [index, operation] of operations.entries()) {
    if (!isJsonObject(operation) && operation !== null) {
      throw new PatchError('PATCH_INVALID', `operation ${index} of the JSON patch: it must be an object`)
    }
    // An operation of null is one without a name.
    const problem = operationProblem(operation ?? {})
    if (problem) throw new PatchError('PATCH_FAILED', `operation ${index} of the JSON patch: ${problem}`)
  }
}

function operationProblem(operation: JsonObject): string | undefined {
  const { op, path, from } = operation
  if (!['add', 'remove', 'replace', 'move', 'copy', 'test'].includes(op as string)) {
    return `op must be add, remove, replace, move, copy or test, not ${JSON.stringify(op)}`
  }
  const whole = op === 'replace' || op === 'test'
  if (!isPointer(path) && !(whole && path === '')) {
    return `path must be a JSON pointer that ${whole ? 'is empty or ' : ''}begins with "/"`
  }
  if ((op === 'move' || op === 'copy') && !isPointer(from)) {
    return 'from must be a JSON pointer that begins with "/"'
  }
  return undefined
}

/** Whether a value is a pointer below the root. As in Kubernetes, the text before its first slash is ignored. */
function isPointer(value: unknown): boolean {
  return typeof value === 'string' && value.includes('/')
}
