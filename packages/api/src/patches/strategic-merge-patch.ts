import { goQuote, goString, goText } from './go-text.ts'
import { copyJson, isJsonObject, getKey, setKey, type JsonObject } from '../json/index.ts'
import { PatchError } from './patch-error.ts'
import type { PatchField, PatchSchema } from './patch-schema.ts'
import { checkOrder, inOrder, itemKind, keyOfItem, wrongType } from './strategic-merge-order.ts'

const DIRECTIVE = '$patch'
const RETAIN_KEYS = '$retainKeys'
const DELETE_FROM = '$deleteFromPrimitiveList'
const SET_ORDER = '$setElementOrder'

/**
 * The target with a strategic merge patch applied, as `kubectl apply` and `kubectl edit` send it for native
 * kinds. Objects are merged; so are the lists that the schema says to merge, by their merge key or as
 * sets, and other lists are replaced. The order of a merged list is that of `$setElementOrder`, then of
 * the patch, then of the target. Neither argument is changed. Throws a {@link PatchError}.
 */
export function applyStrategicMergePatch(target: object, patch: object, schema: PatchSchema): JsonObject {
  if (!isJsonObject(patch)) throw new PatchError('PATCH_INVALID', 'a strategic merge patch is an object')
  return mergeObject(copyJson(target as JsonObject), patch, schema)
}

/** Merges into a target that may be changed. */
function mergeObject(target: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  const directive = getKey(patch, DIRECTIVE)
  if (directive === 'replace') {
    const { [DIRECTIVE]: _, ...rest } = copyJson(patch)
    return rest
  }
  if (directive === 'delete') return {}
  if (directive !== undefined) throw unknownDirective(directive, patch)

  retainKeys(target, patch)
  const ordered = mergeOrderedLists(target, patch, schema)
  for (const [key, value] of Object.entries(patch)) {
    if (isDirective(key) || ordered.has(key) || value === undefined) continue
    if (value === null) delete target[key]
    else mergeField(target, key, value, schema)
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(DELETE_FROM)) deleteFromList(target, directedKey(key, DELETE_FROM), value, schema)
  }
  return target
}

function mergeField(target: JsonObject, key: string, value: unknown, schema: PatchSchema): void {
  const current = getKey(target, key)
  const isMerged = isJsonObject(current)
    ? isJsonObject(value)
    : Array.isArray(current) && Array.isArray(value)
  const field = isMerged ? knownField(schema, key) : schema.field(key)
  if (isJsonObject(current) && isJsonObject(value)) {
    const replaced = field?.strategies.includes('replace')
    const merged = replaced ? copyJson(value) : mergeObject(current, value, field?.schema ?? NOTHING_KNOWN)
    setKey(target, key, merged)
  } else if (Array.isArray(current) && Array.isArray(value)) {
    setKey(target, key, mergeList(current, value, field).items)
  } else if (isDirected(value)) {
    delete target[key]
  } else {
    setKey(target, key, plain(value))
  }
}

/** A merged list, and the live list as `$setElementOrder` then finds it. */
interface MergedList {
  readonly items: unknown[]
  /**
   * The list before the merge. As in Kubernetes, new items take the places of deleted ones at its end, and
   * clients see the order that follows.
   */
  readonly live: readonly unknown[]
}

function mergeList(current: unknown[], patch: unknown[], field: PatchField | undefined): MergedList {
  if (!field?.strategies.includes('merge')) return { items: copyJson(patch), live: current }
  if (current.length === 0 && patch.length === 0) return { items: current, live: current }
  if (itemKind(current, patch) === 'value') {
    const all = [...new Set([...current, ...patch])]
    return { items: inOrder(all, patch, current, undefined), live: current }
  }
  const { mergeKey, schema } = field
  if (mergeKey === undefined) {
    throw new PatchError('PATCH_FAILED', 'cannot merge lists without merge key')
  }
  const changes: JsonObject[] = []
  const deleted = new Set<unknown>()
  let replace = false
  for (const change of patch as JsonObject[]) {
    const directive = getKey(change, DIRECTIVE)
    if (directive === undefined) changes.push(change)
    else if (directive === 'replace') replace = true
    else if (directive === 'delete') deleted.add(keyOfItem(change, mergeKey))
    else if (directive === 'merge') {
      throw new PatchError('PATCH_FAILED', 'merging lists cannot yet be specified in the patch')
    } else throw unknownDirective(directive, change)
  }
  const items =
    deleted.size === 0
      ? (current as JsonObject[])
      : (current as JsonObject[]).filter((item) => !deleted.has(getKey(item, mergeKey)))
  if (replace) return { items: inOrder(copyJson(changes), [], changes, mergeKey), live: items }

  const merged = mergeItems(items, changes, mergeKey, schema)
  return { items: inOrder(merged, changes, items, mergeKey), live: merged.slice(0, current.length) }
}

/** The items with the changes merged in; new items come last. */
function mergeItems(
  items: readonly JsonObject[],
  changes: readonly JsonObject[],
  mergeKey: string,
  schema: PatchSchema,
): JsonObject[] {
  const merged = [...items]
  const places = new Map<unknown, number>()
  const place = (item: JsonObject, index: number): void => {
    const key = getKey(item, mergeKey)
    if (!places.has(key)) places.set(key, index)
  }
  for (const [index, item] of merged.entries()) place(item, index)
  for (const change of changes) {
    const index = places.get(keyOfItem(change, mergeKey))
    if (index === undefined) place(change, merged.push(copyJson(change)) - 1)
    else merged[index] = mergeObject(merged[index]!, change, schema)
  }
  return merged
}

/** Merges the lists whose order the patch sets. Returns the keys of the patch that this has handled. */
function mergeOrderedLists(target: JsonObject, patch: JsonObject, schema: PatchSchema): Set<string> {
  const done = new Set<string>()
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(SET_ORDER)) continue
    if (!Array.isArray(order)) throw wrongType([], order)
    const key = directedKey(directive, SET_ORDER)
    const current = listAt(target, key)
    const changes = listAt(patch, key)
    const field = knownField(schema, key)
    checkOrder(changes ?? [], order, field?.mergeKey)
    done.add(key)
    if (!current && !changes) continue
    const { items, live } =
      current && changes
        ? mergeList(current, changes, field)
        : { items: current ?? (plain(changes) as unknown[]), live: current ?? [] }
    itemKind(current ?? [], changes ?? [])
    setKey(target, key, inOrder(items, order, live, field?.mergeKey))
  }
  return done
}

/** The list at a key; undefined where there is none. Throws a {@link PatchError} if there is something else. */
function listAt(object: JsonObject, key: string): unknown[] | undefined {
  const value = getKey(object, key)
  if (value === undefined || Array.isArray(value)) return value
  throw wrongType([], value)
}

/** Drops from the target what `$retainKeys` does not name: a union's former member, for example. */
function retainKeys(target: JsonObject, patch: JsonObject): void {
  const retained = getKey(patch, RETAIN_KEYS)
  if (retained === undefined) return
  const invalid = new PatchError('PATCH_INVALID', 'invalid patch format of retainKeys')
  if (!Array.isArray(retained)) throw invalid
  const names = new Set<unknown>(retained)
  for (const [key, value] of Object.entries(patch)) {
    if (!isDirective(key) && value !== null && !names.has(key)) throw invalid
  }
  for (const key of Object.keys(target)) if (!names.has(key)) delete target[key]
}

function deleteFromList(target: JsonObject, key: string, values: unknown, schema: PatchSchema): void {
  const current = getKey(target, key)
  if (values === null) delete target[key]
  // Any other value that is not a list deletes nothing.
  if (!Array.isArray(current) || !Array.isArray(values)) return
  const field = knownField(schema, key)
  if (current.length === 0 && values.length === 0) return
  if (itemKind(current, values) === 'object') {
    // As in Kubernetes, objects are merged.
    const merged = { schema: NOTHING_KNOWN, ...field, strategies: ['merge'] }
    setKey(target, key, mergeList(current, values, merged).items)
    return
  }
  const deleted = new Set<unknown>(values)
  setKey(
    target,
    key,
    current.filter((item) => !deleted.has(item)),
  )
}

/** The field of a type that a patch merges. Throws a {@link PatchError} if the type is known and has no such field. */
function knownField(schema: PatchSchema, key: string): PatchField | undefined {
  if (schema.isMap) throw inMap()
  const field = schema.field(key)
  if (field || schema.typeName === undefined) return field
  const message = `unable to find api field in struct ${schema.typeName} for the json field ${goQuote(key)}`
  throw new PatchError('PATCH_FAILED', message)
}

function inMap(): PatchError {
  const message = 'merging an object in json but data type is not struct, instead is: map'
  return new PatchError('PATCH_FAILED', message)
}

/** A value of a patch where the object has none: without nulls, and without objects that direct the merge. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !isDirected(item)).map(plain)
  if (!isJsonObject(value)) return value
  const result: JsonObject = {}
  for (const [key, entry] of Object.entries(value)) {
    if (entry === null || entry === undefined || isDirected(entry)) continue
    setKey(result, key, plain(entry))
  }
  return result
}

/** The field that a key such as `$setElementOrder/env` is about. */
function directedKey(key: string, directive: string): string {
  if (key[directive.length] !== '/') throw badFormat(directive)
  return key.slice(directive.length + 1)
}

function badFormat(directive: string): PatchError {
  const what = directive === DELETE_FROM ? 'primitive list' : 'setElementOrder list'
  return new PatchError('PATCH_INVALID', `invalid patch format of ${what}`)
}

/** Whether a key says how to merge, and is not a field. */
function isDirective(key: string): boolean {
  return key === RETAIN_KEYS || key.startsWith(SET_ORDER) || key.startsWith(DELETE_FROM)
}

function isDirected(value: unknown): boolean {
  // Nulls are removed first, so that a null directive is ignored.
  return isJsonObject(value) && Object.hasOwn(value, DIRECTIVE) && value[DIRECTIVE] !== null
}

function unknownDirective(directive: unknown, patch: JsonObject): PatchError {
  return new PatchError('PATCH_FAILED', `unknown patch type: ${goString(directive)} in map: ${goText(patch)}`)
}

/** The schema of a field that is not known: its objects are merged, and its lists are replaced. */
const NOTHING_KNOWN: PatchSchema = { field: () => undefined }
