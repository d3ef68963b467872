import {
  deepEqual,
  isJsonObject,
  type FieldsV1,
  type JsonObject,
  type KubernetesObject,
  type ManagedFieldsEntry,
} from '@homeostat/api'
import {
  below,
  children,
  countOfChildren,
  hasKeys,
  isLeaf,
  parseKeys,
  parsePath,
  pathOf,
} from './field-paths.ts'

/** Who applies, and to which part of the object. */
export interface Applier {
  readonly manager: string
  /** The version of the document. Fields that were applied in another version cannot be compared. */
  readonly apiVersion: string
  readonly subresource?: string | undefined
}

type Json = unknown

/** The fields that identify the object in every document: they have no owner. */
const NEVER_OWNED = new Set(['apiVersion', 'kind'])
const NEVER_OWNED_METADATA = new Set([
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'selfLink',
  'managedFields',
])

/** The entry of managed fields that an apply of this manager replaces. */
export function appliedEntry(
  live: { readonly metadata: { readonly managedFields?: readonly ManagedFieldsEntry[] | undefined } },
  applier: Applier,
): ManagedFieldsEntry | undefined {
  return live.metadata.managedFields?.find(
    (entry) =>
      entry.operation === 'Apply' &&
      entry.manager === applier.manager &&
      (entry.subresource ?? '') === (applier.subresource ?? '') &&
      entry.apiVersion === applier.apiVersion,
  )
}

/**
 * Whether applying `desired` would change nothing: the manager already owns exactly the fields that it names, and
 * they hold exactly these values. A result of `true` is always correct. A result of `false` may be wrong if the server
 * writes a value in another form (`1000m` as `1`), or adds defaults inside a value that has one owner.
 *
 * How a list is merged is in the schema, which a client does not have. The entry shows it: elements named by keys
 * (`k:`), by their value (`v:`), or not at all, where the list has one owner as a whole.
 */
export function applyMatches(live: KubernetesObject, desired: object, applier: Applier): boolean {
  const entry = appliedEntry(live, applier)
  // A manager that applies nothing has no entry.
  if (!entry?.fieldsV1) return live.metadata.managedFields !== undefined && isEmpty(ownable(desired))
  const others = (live.metadata.managedFields ?? []).flatMap((other) =>
    other !== entry && other.fieldsV1 ? [other.fieldsV1] : [],
  )
  return objectMatches(ownable(desired), live, entry.fieldsV1, others)
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}

/** The part of a document that an apply can own. */
export function ownable(document: object): JsonObject {
  const owned = Object.fromEntries(Object.entries(document).filter(([name]) => !NEVER_OWNED.has(name)))
  if (!isJsonObject(owned['metadata'])) return owned
  const metadata = Object.entries(owned['metadata']).filter(([name]) => !NEVER_OWNED_METADATA.has(name))
  if (metadata.length > 0) return { ...owned, metadata: Object.fromEntries(metadata) }
  delete owned['metadata']
  return owned
}

/** `others` are the fields of the other managers at the same place. */
function valueMatches(desired: Json, live: Json, fields: FieldsV1, others: readonly FieldsV1[]): boolean {
  if (Array.isArray(desired)) return listMatches(desired, live, fields, others)
  if (isJsonObject(desired)) {
    if (isEmpty(desired)) return isLeaf(fields) && isEmptyOrShared(live, others)
    if (isLeaf(fields)) return others.every(isLeaf) && deepEqual(desired, live)
    return objectMatches(desired, live, fields, others)
  }
  if (!isLeaf(fields)) return false
  return desired === null ? live === null || live === undefined : desired === live
}

function objectMatches(
  desired: JsonObject,
  live: Json,
  fields: FieldsV1,
  others: readonly FieldsV1[],
): boolean {
  if (!isJsonObject(live)) return false
  let named = 0
  for (const name in desired) if (desired[name] !== undefined) named++
  if (named !== countOfChildren(fields)) return false
  for (const name in desired) {
    const value = desired[name]
    if (value === undefined) continue
    const path = `f:${name}`
    const child = Object.hasOwn(fields, path) ? fields[path] : undefined
    if (child === undefined || !valueMatches(value, live[name], child, below(others, path))) return false
  }
  return true
}

function listMatches(
  desired: readonly Json[],
  live: Json,
  fields: FieldsV1,
  others: readonly FieldsV1[],
): boolean {
  if (desired.length === 0) return isLeaf(fields) && isEmptyOrShared(live, others)
  if (!Array.isArray(live)) return false
  if (isLeaf(fields)) return others.every(isLeaf) && deepEqual(desired, live)
  const paths = children(fields)
  if (paths.length !== desired.length) return false
  const positions = paths.every((path) => path.startsWith('k:'))
    ? keyedPositions(desired, live, fields, others, paths)
    : valuePositions(desired, live, paths)
  // An apply also brings the elements into its own order.
  return (
    positions !== undefined && positions.every((position, index) => position > (positions[index - 1] ?? -1))
  )
}

/** Where the elements of a list of keyed objects stand, if all are there and match. */
function keyedPositions(
  desired: readonly Json[],
  live: readonly Json[],
  fields: FieldsV1,
  others: readonly FieldsV1[],
  paths: readonly string[],
): number[] | undefined {
  const unused = new Map(paths.map((path) => [path, parseKeys(path)]))
  const positions: number[] = []
  for (const element of desired) {
    if (!isJsonObject(element)) return undefined
    const path = pathOf(element, unused)
    const keys = path === undefined ? undefined : unused.get(path)
    if (path === undefined || keys === undefined) return undefined
    unused.delete(path)
    const position = live.findIndex((candidate) => hasKeys(candidate, keys))
    const own = fields[path]
    if (position < 0 || own === undefined) return undefined
    if (!valueMatches(element, live[position], own, below(others, path))) return undefined
    positions.push(position)
  }
  return positions
}

function valuePositions(
  desired: readonly Json[],
  live: readonly Json[],
  paths: readonly string[],
): number[] | undefined {
  if (!paths.every((path) => path.startsWith('v:'))) return undefined
  const owned = new Set(paths.map(parsePath))
  const positions = desired.map((value) => (owned.has(value) ? live.indexOf(value) : -1))
  return positions.includes(-1) ? undefined : positions
}

/**
 * Other managers may add elements to an empty value where each element has its own owner. An absent value may be
 * empty too, since servers leave empty values out, but it may also have been applied as null.
 */
function isEmptyOrShared(live: Json, others: readonly FieldsV1[]): boolean {
  if (typeof live !== 'object' || live === null) return false
  return Object.keys(live).length === 0 || !others.every(isLeaf)
}
