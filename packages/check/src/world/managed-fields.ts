import { deepEqual, isJsonObject, type FieldsV1 } from '@homeostat/api'
import type { FieldPath } from '../stories/index.ts'

/** A field of an object, and the client that set it, from the managed fields of the API server. */
interface ManagedField {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly path: FieldPath
}

/** The single fields of an object that some client set, without those of its subresources. */
export function* managedFields(object: any): Generator<ManagedField> {
  for (const { manager, operation, subresource, fieldsV1 } of object.metadata.managedFields ?? []) {
    if (subresource !== undefined) continue
    for (const path of leavesOf(fieldsV1, object, [])) yield { manager, operation, path }
  }
}

/** The paths of single fields. The keys of a list’s items are left out: an item with another key is another item. */
function* leavesOf(
  fields: FieldsV1,
  value: unknown,
  path: FieldPath,
  keys: ReadonlySet<string> = new Set(),
): Generator<FieldPath> {
  const below = Object.entries(fields).filter(([name]) => name !== '.' && !keys.has(name.slice(2)))
  if (below.length === 0) {
    if (path.length > 0) yield path
    return
  }
  for (const [name, rest] of below) {
    const step = stepOf(name, value)
    if (step === undefined) continue
    const keysOfItem = name.startsWith('k:') ? Object.keys(JSON.parse(name.slice(2)) as object) : []
    yield* leavesOf(rest, (value as any)[step], [...path, step], new Set(keysOfItem))
  }
}

/** The key or index that a part of a path of server-side apply means. */
function stepOf(name: string, value: unknown): string | number | undefined {
  const key = name.slice(2)
  if (name.startsWith('f:')) return isJsonObject(value) && Object.hasOwn(value, key) ? key : undefined
  if (!Array.isArray(value)) return undefined
  if (name.startsWith('i:')) return Number(key)
  if (name.startsWith('v:')) {
    const wanted: unknown = JSON.parse(key)
    return found(value.findIndex((item) => deepEqual(item, wanted)))
  }
  const wanted = Object.entries(JSON.parse(key) as object)
  return found(value.findIndex((item) => wanted.every(([part, is]) => deepEqual(item[part], is))))
}

function found(index: number): number | undefined {
  return index < 0 ? undefined : index
}

export function valueAt(value: any, path: FieldPath): unknown {
  return path.reduce((inner, step) => inner?.[step], value)
}
