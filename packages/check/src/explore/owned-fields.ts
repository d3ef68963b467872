import { deepEqual, isJsonObject, type FieldsV1 } from '@homeostat/api'
import type { FieldPath } from '../stories/index.ts'

/** How many fields of one object are tried. */
const MOST = 16

/** A field that the operator set, with another value for it. */
export interface OwnedField {
  readonly path: FieldPath
  readonly other: unknown
}

/**
 * The fields of an object that the operator set, by what the API server recorded. Of an object that was created and not applied
 * the server records its own defaults as well: there only what was sent counts.
 */
export function ownedFields(object: any, managers: ReadonlySet<string>, sent: unknown): OwnedField[] {
  const fields: OwnedField[] = []
  for (const { manager, operation, subresource, fieldsV1 } of object.metadata.managedFields ?? []) {
    if (!managers.has(manager) || subresource !== undefined) continue
    for (const path of leavesOf(fieldsV1, object, [])) {
      if (path[0] === 'metadata' && path[1] !== 'labels' && path[1] !== 'annotations') continue
      if (operation === 'Update' && valueAt(sent, path) === undefined) continue
      const other = otherValue(valueAt(object, path))
      if (other !== undefined && !fields.some((field) => deepEqual(field.path, path)))
        fields.push({ path, other })
    }
  }
  return fields.slice(0, MOST)
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

function valueAt(value: any, path: FieldPath): unknown {
  return path.reduce((inner, step) => inner?.[step], value)
}

/** Another value of the same type; `undefined` where none is likely to be accepted. */
function otherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  return typeof value === 'string' ? `${value}x` : undefined
}
