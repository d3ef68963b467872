import { oncePerObject } from '@homeostat/api'
import { equalJson, type JsonObject, setKey } from '../../schema/index.ts'
import { asServerObject, type ServerObject } from '../resource/server-object.ts'

/** The metadata, which every write changes, and the fields that name the kind. */
const NEVER_KNOWN: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/**
 * The parts of an object, such as its spec, that equal those of the stored object. They have been decoded, pruned and
 * defaulted before, so that a write which leaves them as they are need not do so again. The stored object must not change.
 */
export function knownParts(object: Readonly<JsonObject>, stored: Readonly<JsonObject>): Set<string> {
  const known = new Set<string>()
  for (const field of Object.keys(stored)) {
    if (NEVER_KNOWN.has(field) || !Object.hasOwn(object, field)) continue
    const part = stored[field]
    if (equalJson(object[field], part) && !(isContainer(part) && holdsNull(part))) known.add(field)
  }
  return known
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether a part of a stored object holds a null, such as a time of the year 1, which counts as unset when it is sent again. */
const holdsNull: (part: object) => boolean = oncePerObject((part) =>
  Object.values(part).some((value: unknown) => value === null || (isContainer(value) && holdsNull(value))),
)

/** The object without some of its parts. The content of the others is not copied. */
export function withoutParts(object: Readonly<JsonObject>, parts: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !parts.has(field)))
}

/** The object with these parts of another one, in the order of the other one. */
export function withParts(
  object: ServerObject,
  parts: ReadonlySet<string>,
  other: ServerObject,
): ServerObject {
  const whole: Record<string, unknown> = {}
  for (const field of Object.keys(other)) {
    if (parts.has(field)) setKey(whole, field, other[field])
    else if (Object.hasOwn(object, field)) setKey(whole, field, object[field])
  }
  for (const field of Object.keys(object)) {
    if (!Object.hasOwn(other, field)) setKey(whole, field, object[field])
  }
  return asServerObject(whole)
}
