import {
  deepEqual,
  isJsonObject,
  type AnyKind,
  type FieldsV1,
  type JsonObject,
  type KubernetesObject,
  type ObjectKey,
} from '@homeostat/api'
import { ownable } from './apply-matches.ts'
import { below, hasKeys, isLeaf, parseKeys, pathOf } from './field-paths.ts'

/** A write that has changed fields of an object. */
export interface FieldsWritten {
  readonly kind: AnyKind
  readonly key: ObjectKey
  /** The object as it was before. */
  readonly before: KubernetesObject
  /** The manager that wrote. */
  readonly manager: string
  readonly fields: readonly WrittenField[]
  /** The name of the cluster, where it is not the manager's own. */
  readonly cluster?: string | undefined
}

/** A field that had another value before the write. */
export interface WrittenField {
  /** Such as `spec.template.spec.containers.web.image`. */
  readonly path: string
  readonly value: unknown
  /** The other manager that had set it, where managed fields name one. */
  readonly owner?: string | undefined
}

/** Called for the writes of a client. `manager` is the field manager of writes that do not name one. */
export interface WriteListener {
  readonly fieldManager?: string | undefined
  /** Called after a write to an object that was known before, with the fields that it changed. */
  onFieldsWritten?(write: FieldsWritten): void
  /** Called before each write is sent; what it throws keeps the write from being sent. */
  beforeWrite?: (() => void) | undefined
  /**
   * Called with the resourceVersion that each write produced, or the uid of the object that it deleted. Needs a
   * cache.
   */
  afterWrite?: ((version: string) => void) | undefined
  /** Called after each write that was not a dry run, whether the server accepted it or not. */
  onWrite?: ((write: ObjectWritten) => void) | undefined
}

/** A write that was sent. */
export interface ObjectWritten {
  /** `create`, `update`, `patch`, `apply`, `delete` or `deletecollection`. */
  readonly verb: string
  readonly kind: AnyKind
  /** Without a name where the server generates it, or where the write is about many objects. */
  readonly key: { readonly name?: string | undefined; readonly namespace?: string | undefined }
  readonly subresource?: string | undefined
  /** The object as the cache had it before. Absent where it had none. */
  readonly before?: KubernetesObject | undefined
  /** The object that the server answered with, if it did. */
  readonly after?: KubernetesObject | undefined
  /** The error of a write that failed. */
  readonly error?: unknown
}

/** Under this key a client has its listener, if it has one. */
export const WRITE_LISTENER = Symbol('the listener to the writes of a client')

export function writeListenerOf(client: object): WriteListener | undefined {
  return (client as { readonly [WRITE_LISTENER]?: WriteListener | undefined })[WRITE_LISTENER]
}

/**
 * The fields that an apply of `desired` sets although the manager did not hold them: those that another manager has
 * set to other values, and those that were removed. A field that the manager holds itself changes because it now
 * wants another value, and is left out.
 */
export function fieldsTaken(
  before: KubernetesObject,
  desired: object,
  manager: string,
): readonly WrittenField[] {
  const { ours, others } = owners(before, manager)
  // A manager that holds nothing writes for the first time: there is nothing that it could have lost.
  if (ours.length === 0 && others.length === 0) return []
  const found: WrittenField[] = []
  collect(ownable(desired), before, { ours, others }, [], found)
  return ours.length > 0 ? found : found.filter(({ owner }) => owner !== undefined)
}

/** The other manager that set the field at a path, where managed fields name one and this manager does not hold it. */
export function ownerOf(
  before: KubernetesObject,
  path: readonly string[],
  manager: string,
): string | undefined {
  let place = owners(before, manager)
  let live: unknown = before
  for (const part of path) {
    const sets = setsOf(place)
    if (isOwnedWhole(sets)) break
    const element: unknown = memberOf(live, part)
    const step = Array.isArray(live)
      ? [...keyedPaths(sets)].find(([, keys]) => keys !== undefined && hasKeys(element, keys))?.[0]
      : `f:${part}`
    if (step === undefined) return undefined
    place = at(place, step)
    live = element
  }
  if (place.ours.length > 0) return undefined
  return place.others.find(({ fields }) => isLeaf(fields))?.manager
}

interface OwnedFields {
  readonly manager: string
  readonly fields: FieldsV1
}

/** The fields at one place, of this manager and of the others. */
interface Place {
  readonly ours: readonly FieldsV1[]
  readonly others: readonly OwnedFields[]
}

function owners({ metadata }: KubernetesObject, manager: string): Place {
  const owned = (metadata.managedFields ?? []).flatMap(({ manager = '', fieldsV1 }) =>
    fieldsV1 ? [{ manager, fields: fieldsV1 }] : [],
  )
  return {
    ours: owned.filter((each) => each.manager === manager).map(({ fields }) => fields),
    others: owned.filter((each) => each.manager !== manager),
  }
}

function collect(
  desired: unknown,
  live: unknown,
  place: Place,
  path: readonly string[],
  found: WrittenField[],
): void {
  if (deepEqual(desired, live) || (desired === null && live === undefined)) return
  const sets = setsOf(place)
  const isWhole = isOwnedWhole(sets)
  if (!isWhole && isJsonObject(desired) && isJsonObject(live)) {
    for (const [name, value] of Object.entries(desired)) {
      collect(value, memberOf(live, name), at(place, `f:${name}`), [...path, name], found)
    }
    return
  }
  const keyed = keyedPaths(sets)
  if (!isWhole && Array.isArray(desired) && Array.isArray(live) && keyed.size > 0) {
    for (const element of desired.filter(isJsonObject)) {
      const elementPath = pathOf(element, keyed)
      const keys = elementPath === undefined ? undefined : keyed.get(elementPath)
      // An element without a path belongs to no manager yet.
      if (elementPath === undefined || keys === undefined) continue
      const counterpart: unknown = live.find((candidate) => hasKeys(candidate, keys))
      collect(element, counterpart, at(place, elementPath), [...path, labelOf(element, keys)], found)
    }
    return
  }
  if (place.ours.length > 0 || path.length === 0) return
  found.push({ path: path.join('.'), value: desired, owner: place.others[0]?.manager })
}

function at({ ours, others }: Place, path: string): Place {
  return {
    ours: below(ours, path),
    others: others.flatMap(({ manager, fields }) =>
      below([fields], path).map((found) => ({ manager, fields: found })),
    ),
  }
}

function setsOf({ ours, others }: Place): readonly FieldsV1[] {
  return [...ours, ...others.map(({ fields }) => fields)]
}

/**
 * Whether a value is owned as a whole. A set without members may also stand for a map whose members belong to other managers:
 * then the set of another manager names members.
 */
function isOwnedWhole(sets: readonly FieldsV1[]): boolean {
  return sets.length > 0 && sets.every(isLeaf)
}

function keyedPaths(sets: readonly FieldsV1[]): Map<string, JsonObject | undefined> {
  const paths = sets.flatMap((fields) => Object.keys(fields).filter((path) => path.startsWith('k:')))
  return new Map(paths.map((path) => [path, parseKeys(path)]))
}

/** The name of an element for messages: its name, or the fields that identify it. */
function labelOf(element: JsonObject, keys: JsonObject): string {
  return typeof element['name'] === 'string' ? element['name'] : Object.values(keys).join('/')
}

/** The value below another: a field by its name, an element of a list by its name or its position. */
function memberOf(value: unknown, part: string): unknown {
  if (Array.isArray(value)) {
    return value.find((item) => isJsonObject(item) && item['name'] === part) ?? value[Number(part)]
  }
  return isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
}
