import { FieldSet } from './field-set.ts'
import { fieldElement } from './path-element.ts'

/** Fields that writes through a subresource leave as they are, by the name of the subresource; empty for the object itself. */
export type ResetFields = Readonly<Record<string, FieldSet>>

const NONE = new FieldSet()
const STATUS = fieldsAtPaths('status')
const ALL_BUT_STATUS = fieldsAtPaths('metadata', 'spec')
const SPEC = fieldsAtPaths('spec')

/**
 * The fields that a write cannot change because of its endpoint: the status through the object itself where it is a
 * subresource, everything else through the status. Such a write owns none of these fields. `own` is what the kind says instead.
 */
export function resetFields(write: {
  readonly subresource: string
  readonly hasStatus: boolean
  readonly custom: boolean
  readonly own: ResetFields | undefined
}): FieldSet {
  const { subresource, hasStatus, custom, own = {} } = write
  const special = Object.hasOwn(own, subresource) ? own[subresource] : undefined
  if (special) return special
  if (subresource === 'status') return custom ? ALL_BUT_STATUS : SPEC
  return hasStatus && subresource === '' ? STATUS : NONE
}

/** The set of the fields at some paths, such as `metadata.labels`. */
export function fieldsAtPaths(...paths: readonly string[]): FieldSet {
  return FieldSet.of(...paths.map((path) => path.split('.').map((name) => fieldElement(name))))
}
