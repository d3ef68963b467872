import { deepEqual, isJsonObject, type JsonObject } from '@homeostat/api'
import type { Origins } from './draft.ts'

export interface OverlayOptions {
  /** Which parts of the draft are still copies of parts of `before`. */
  readonly origins: Origins
  /** Whether the object at these fields is a map whose keys users choose, with one writer or with several. */
  mapAt(fields: readonly string[]): 'own' | 'shared' | undefined
}

/** Where a part is. An item of a list has its name in `path`, which people read, and its index in `fields`, which no name can imitate. */
interface Place {
  readonly path: readonly string[]
  readonly fields: readonly string[]
}

/** An object merged with a draft, and the paths at which that changed it. */
export interface Overlay {
  readonly value: unknown
  /** Paths such as `spec.replicas`, in the order of the draft. */
  readonly changes: readonly string[]
  /** The parts of each of these paths. */
  readonly paths: readonly (readonly string[])[]
  /** The wanted value at each of these paths; `undefined` where it is removed. */
  readonly wanted: readonly unknown[]
}

/**
 * Merges a draft with the object that it was copied from: values that were set in the draft are used, and everything
 * else stays.
 *
 * - A part that was changed in place is used as it is: a field deleted from it is deleted.
 * - An object that was assigned sets the fields that it has; others keep their value, because a server or another
 *   controller may have filled them in. A map whose keys users choose, such as `data`, replaces the whole map.
 * - An assigned list replaces the whole list. Each item is compared with the item of the same port, of the same
 *   `name`, or else of the same index, and keeps the values that a server filled in there. An item of the same index
 *   that sets another value is a different item, to which those values may not apply. Where several items have one name, such
 *   as two mounts of a volume, this also holds for an item of the same name.
 * - Where an object has one of several forms, such as a volume, an assigned object of another form replaces the whole
 *   object.
 */
export function overlay(before: unknown, draft: unknown, options: OverlayOptions): Overlay {
  const paths: (readonly string[])[] = []
  const wanted: unknown[] = []

  function change(path: readonly string[], to: unknown): void {
    paths.push(path)
    wanted.push(to)
  }

  function lay(before: unknown, after: unknown, place: Place): unknown {
    if (isJsonObject(before) && isJsonObject(after)) return layObject(before, after, place)
    if (Array.isArray(before) && Array.isArray(after)) return layList(before, after, place)
    if (!isSame(before, after, place)) change(place.path, after)
    return after
  }

  function layObject(before: JsonObject, after: JsonObject, { path, fields }: Place): JsonObject {
    const whole =
      options.origins.get(after) === before ||
      options.mapAt(fields) === 'own' ||
      (isOneForm(fields) && differs(before, after))
    const result: [string, unknown][] = []
    for (const [name, value] of Object.entries(before)) {
      if (Object.hasOwn(after, name)) continue
      if (whole) change([...path, name], undefined)
      else result.push([name, value])
    }
    for (const [name, value] of Object.entries(after)) {
      const old = Object.hasOwn(before, name) ? before[name] : undefined
      // Most parts are equal, and need no place.
      const laid = deepEqual(old, value)
        ? value
        : lay(old, value, { path: [...path, name], fields: [...fields, name] })
      if (laid !== undefined) result.push([name, laid])
    }
    return Object.fromEntries(result)
  }

  function layList(
    before: readonly unknown[],
    after: readonly unknown[],
    { path, fields }: Place,
  ): unknown[] {
    const named = [...before, ...after].every(hasName)
    const counterparts = counterpartsOf(before, after, options.origins)
    const moved = counterparts.some((counterpart, index) => counterpart !== index)
    if (before.length !== after.length || moved) change(path, after)
    return after.map((item, index) => {
      const counterpart = before[counterparts[index]!]
      if (counterpart === undefined) return item
      return lay(counterpart, item, {
        path: [...path, named && hasName(item) ? item.name : String(index)],
        fields: [...fields, String(index)],
      })
    })
  }

  /** Whether two values are equal, where a missing field equals an empty list or map: servers leave those out. */
  function isSame(before: unknown, after: unknown, { fields }: Place): boolean {
    if (before === undefined && Array.isArray(after)) return after.length === 0
    if (before === undefined && isJsonObject(after)) {
      return Object.keys(after).length === 0 && options.mapAt(fields) !== undefined
    }
    return before === after || (before === undefined && after === null)
  }

  const value = deepEqual(before, draft) ? draft : lay(before, draft, { path: [], fields: [] })
  return { value, changes: paths.map((path) => path.join('.')), paths, wanted }
}

/** The index of the item before that each item is compared with; -1 for a new item. */
function counterpartsOf(before: readonly unknown[], after: readonly unknown[], origins: Origins): number[] {
  const items = [...before, ...after]
  const nameOf = items.every(hasPort) ? portName : items.every(hasName) ? ownName : undefined
  if (!nameOf) {
    return after.map((item, index) => {
      const other = before[index]
      const another = isJsonObject(item) && isJsonObject(other) && origins.get(item) !== other
      return another && setsOtherwise(other, item) ? -1 : index
    })
  }
  const places = Map.groupBy(before.keys(), (index) => nameOf(before[index]))
  const uses = Map.groupBy(after, nameOf)
  return after.map((item) => {
    const name = nameOf(item)
    const candidates = places.get(name) ?? []
    if (candidates.length < 2 && uses.get(name)?.length === 1) return candidates[0] ?? -1
    // Several items have this name. Each is compared with one item at most.
    const origin = isJsonObject(item) ? origins.get(item) : undefined
    const found = candidates.findIndex((index) => {
      const other = before[index]
      return origin === undefined
        ? isJsonObject(other) && isJsonObject(item) && !setsOtherwise(other, item)
        : other === origin
    })
    if (found < 0) return -1
    const [counterpart = -1] = candidates.splice(found, 1)
    return counterpart
  })
}

function hasName(value: unknown): value is { readonly name: string } {
  return isJsonObject(value) && typeof value['name'] === 'string'
}

/** Whether an object has another value at a field than the one before, or an additional field. */
function differs(before: JsonObject, after: JsonObject): boolean {
  return setsOtherwise(before, after) || Object.keys(after).some((name) => !Object.hasOwn(before, name))
}

/** Whether a scalar value is set that differs in the object before. */
function setsOtherwise(before: JsonObject, after: JsonObject): boolean {
  return Object.entries(after).some(
    ([name, value]) =>
      Object.hasOwn(before, name) && value !== undefined && !isNested(value) && value !== before[name],
  )
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Fields of which Kubernetes keeps only what is given: strategies of a rollout, and volumes. */
function isOneForm(fields: readonly string[]): boolean {
  return /^(?:strategy|updateStrategy)$/.test(fields.at(-1) ?? '') || fields.at(-2) === 'volumes'
}

/** Ports of Services and containers, which a server identifies by number and protocol, not by name. */
function hasPort(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof (value['port'] ?? value['containerPort']) === 'number'
}

function portName(item: unknown): string {
  const { port, containerPort, protocol = 'TCP' } = item as JsonObject
  return `${String(port ?? containerPort)}/${String(protocol)}`
}

function ownName(item: unknown): unknown {
  return (item as JsonObject)['name']
}
