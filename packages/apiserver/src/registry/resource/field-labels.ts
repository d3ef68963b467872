import { fieldText } from '@homeostat/api'
import type { ResourceDescription } from './resource-description.ts'
import type { ServerObject } from './server-object.ts'

/**
 * The labels by which field selectors find objects of a kind, besides `metadata.name` and `metadata.namespace`. They
 * look like paths and are none: a field that is unset counts as what the server reads it as, such as `false` or `0`.
 */
export interface FieldLabels {
  /** The text that each label stands for. */
  readonly read: Readonly<Record<string, (object: ServerObject) => string>>
  /** What a client is told about another label. Default: `field label not supported: …`. */
  readonly refusal?: (label: string, resource: ResourceDescription) => string
}

/** Labels that stand for what is at the path of the same name; an unset field counts as the empty text. */
export function fieldsAt(...paths: readonly string[]): FieldLabels['read'] {
  return Object.fromEntries(paths.map((path) => [path, fieldAt(path)]))
}

/** Reads what is at a path; an unset field counts as the text given. */
export function fieldAt(path: string, unset = ''): (object: ServerObject) => string {
  return (object) => fieldText(object, path) || unset
}
