import type { NameForm } from '../schema/object-meta.ts'
import type { FieldError } from '../schema/field-error.ts'
import type { Resource } from './resource.ts'

/** What a check needs to know of a resource. Of a native kind the rest follows. */
export type CheckedResource = Pick<
  Resource,
  'group' | 'version' | 'plural' | 'kind' | 'scope' | 'subresources' | 'custom'
>

/** A check of an object, in a form that can be sent to another thread. */
export interface Check {
  readonly resource: CheckedResource
  /** The schema of a custom kind, in JSON. */
  readonly schema: string | undefined
  /** The object, in JSON. */
  readonly object: string
  /** The object as it was, in JSON; absent for a new one. */
  readonly old: string | undefined
  readonly names: NameForm
  readonly subresource: string | undefined
}

/** What a check found. */
export interface Checked {
  readonly problems: FieldError[]
  readonly warnings: string[]
}

/**
 * Computes what takes long where it does not stop the requests of others. Rejects with `Failure` when that takes
 * longer than a request may.
 */
export interface Background {
  check(check: Check): Promise<Checked>
  /** Ends what is under way. */
  close(): void
}
