import { fieldText } from '@homeostat/api'
import type { ResourceDescription } from './resource-description.ts'
import type { ServerObject } from './server-object.ts'

/**
 * The labels by which field selectors find objects of a kind, besides `metadata.name` and `metadata.namespace`. They
 * look like paths, but an unset field has the value that the server assumes for it, such as `false` or `0`.
 */
export interface FieldLabels {
  /** The text that each label stands for. */
  readonly read: Readonly<Record<string, (object: ServerObject) => string>>
  /** The message for another label. Default: `field label not supported: …`. */
  readonly refusal?: (label: string, resource: ResourceDescription) => string
}

/** Labels for the fields at the paths of the same names; an unset field counts as the empty text. */
export function fieldsAt(...paths: readonly string[]): FieldLabels['read'] {
  return Object.fromEntries(paths.map((path) => [path, fieldAt(path)]))
}

/** Reads the field at a path; an unset field counts as the given text. */
export function fieldAt(path: string, unset = ''): (object: ServerObject) => string {
  return (object) => fieldText(object, path) || unset
}
