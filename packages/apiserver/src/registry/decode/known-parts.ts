import { equalJson, setKey } from '../../schema/index.ts'
import { asServerObject, type ServerObject } from '../resource/server-object.ts'

/** The parts that a write of the status may change, and those that name the kind. */
const OTHERS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status'])

/**
 * The parts of a sent object, such as its spec, that equal those of the stored object. They have been decoded, pruned
 * and defaulted before, so that a write of the status, which keeps what is stored, need not do so again.
 */
export function knownParts(sent: ServerObject, stored: ServerObject): ReadonlySet<string> {
  const known = new Set<string>()
  for (const field of Object.keys(stored)) {
    if (!OTHERS.has(field) && Object.hasOwn(sent, field) && equalJson(sent[field], stored[field])) {
      known.add(field)
    }
  }
  return known
}

/** The object without some of its parts. The content of the others is not copied. */
export function withoutParts(object: ServerObject, parts: ReadonlySet<string>): ServerObject {
  return asServerObject(Object.fromEntries(Object.entries(object).filter(([field]) => !parts.has(field))))
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
