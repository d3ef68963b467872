import { copyJson, equalJson } from '../../schema/json.ts'
import { objectValidation } from '../lazy-object-validation.ts'
import type { Resource } from '../resource.ts'
import type { ServerObject } from '../server-object.ts'

/** A write that is about to happen. */
export interface Proposal {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly resource: Resource
  readonly namespace?: string | undefined
  /** Empty where a name is yet to be generated. */
  readonly name: string
  /** The door that the write comes through. */
  readonly subresource?: string | undefined
  /** The object as it should be, which may be changed in place; of a deletion there is none. */
  readonly object?: ServerObject | undefined
  /** The object as it is, which is frozen; of a creation there is none. */
  readonly old?: ServerObject | undefined
}

/** Those who have a say in a write: each may throw a `Failure`. */
export interface Admit {
  /** Whether any of them changes objects at all. */
  readonly changes: boolean
  /** Before the object is checked: it may be changed. */
  admit(proposal: Proposal): void | Promise<void>
  /** After it was checked, right before it is stored: nothing may be changed, and nobody waits. */
  validate(proposal: Proposal): void
}

/**
 * Has a write admitted. What admission changes belongs to no manager: so where it changed something, the object as it
 * was sent is given back, to read the managed fields from.
 */
export async function admitted(
  admit: Admit,
  proposal: Proposal & { readonly object: ServerObject },
): Promise<ServerObject | undefined> {
  const { object, resource } = proposal
  const sent = admit.changes ? copyJson(object) : undefined
  await admit.admit(proposal)
  if (!sent || equalJson(sent, object)) return undefined
  const { dropUnknownFields, fillDefaults } = objectValidation.get()
  dropUnknownFields(object, resource)
  fillDefaults(object, resource)
  return sent
}
