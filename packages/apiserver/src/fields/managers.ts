import type { FieldsV1, ManagedFieldsEntry } from '@homeostat/api'
import { isObject } from '../schema/index.ts'
import type { InParts } from '../work/index.ts'
import { FieldSet } from './field-set.ts'

/** The fields of one manager. */
export interface Manager {
  readonly name: string
  readonly operation: 'Apply' | 'Update'
  readonly subresource: string
  readonly apiVersion: string
  readonly fields: FieldSet
  /** The time of its last change; absent for some managers. */
  readonly time: string | undefined
}

/** The managers of an object, by key. */
export type Managers = Map<string, Manager>

/**
 * The key of a manager: name, operation and subresource, and for updates the version as well. A manager that applies
 * in another version stays the same manager.
 */
export function managerKey(
  manager: Pick<Manager, 'name' | 'operation' | 'subresource' | 'apiVersion'>,
): string {
  const { name, operation, subresource, apiVersion } = manager
  const version = operation === 'Update' ? apiVersion : ''
  return JSON.stringify([name, operation, version, subresource])
}

/** Reads the managed fields of an object; `undefined` where they are invalid. */
export function decodeManagers(entries: unknown): Managers | undefined {
  const managers: Managers = new Map()
  if (entries === undefined || entries === null) return managers
  if (!Array.isArray(entries)) return undefined
  const list: readonly unknown[] = entries
  for (const entry of list) {
    const manager = decodeEntry(entry)
    if (!manager) return undefined
    managers.set(managerKey(manager), manager)
  }
  return managers
}

function decodeEntry(value: unknown): Manager | undefined {
  if (!isObject(value)) return undefined
  const entry = value as ManagedFieldsEntry
  const { operation, apiVersion } = entry
  if ((operation !== 'Apply' && operation !== 'Update') || !apiVersion || entry.fieldsType !== 'FieldsV1')
    return undefined
  try {
    return {
      name: entry.manager ?? '',
      operation,
      subresource: entry.subresource ?? '',
      apiVersion,
      fields: decodeFields(entry.fieldsV1),
      time: entry.time,
    }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Cached, since stored objects do not change. Throws a `SyntaxError` for a value that is not a set. */
function decodeFields(fields: FieldsV1 | null | undefined): FieldSet {
  if (fields === undefined || fields === null) return new FieldSet()
  if (!isObject(fields)) throw new SyntaxError('the fields of a manager must be an object')
  return Object.isFrozen(fields) ? FieldSet.decodeStored(fields) : FieldSet.decode(fields)
}

/** Encodes managed fields, sorted: appliers first, then by time, name, version and subresource. */
export function* encodeManagers(managers: Managers): InParts<ManagedFieldsEntry[]> {
  const entries: ManagedFieldsEntry[] = []
  for (const manager of [...managers.values()].sort(compareManagers)) {
    if (entries.length > 0) yield
    const fieldsV1 = yield* manager.fields.encodeInParts()
    entries.push({
      ...(manager.name === '' ? {} : { manager: manager.name }),
      operation: manager.operation,
      apiVersion: manager.apiVersion,
      ...(manager.time === undefined ? {} : { time: manager.time }),
      fieldsType: 'FieldsV1',
      fieldsV1,
      ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
    })
  }
  return entries
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    text(a.operation, b.operation) ||
    text(a.time ?? '', b.time ?? '') ||
    text(a.name, b.name) ||
    text(a.apiVersion, b.apiVersion) ||
    text(a.subresource, b.subresource)
  )
}

function text(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

const MOST_UPDATERS = 10
const BUCKET = 'ancient-changes'

/** Merges the oldest updaters into one for each version, until ten are left. Appliers are never merged. */
export function capUpdaters(managers: Managers): Managers {
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update')
  if (updaters.length <= MOST_UPDATERS) return managers
  updaters.sort(([a, one], [b, other]) => text(one.time ?? '', other.time ?? '') || text(a, b))
  const result: Managers = new Map(managers)
  const first = new Map<string, string>()
  const merged = new Map<string, FieldSet[]>()
  let count = updaters.length
  for (const [key, manager] of updaters) {
    if (count <= MOST_UPDATERS) break
    const { apiVersion } = manager
    const bucketKey = managerKey({ name: BUCKET, operation: 'Update', subresource: '', apiVersion })
    const firstKey = first.get(apiVersion)
    if (firstKey === undefined) {
      first.set(apiVersion, key)
      continue
    }
    const bucket = result.get(bucketKey) ?? result.get(firstKey)!
    const parts = merged.get(bucketKey) ?? [bucket.fields]
    merged.set(bucketKey, parts)
    parts.push(manager.fields)
    result.delete(firstKey)
    result.delete(key)
    const { time } = manager
    result.set(bucketKey, { ...bucket, name: BUCKET, operation: 'Update', subresource: '', apiVersion, time })
    count--
  }
  // All at once: merging one after the other would copy each union again.
  for (const [key, parts] of merged) {
    const bucket = result.get(key)
    if (bucket) result.set(key, { ...bucket, fields: FieldSet.unionOf(parts) })
  }
  return result
}
