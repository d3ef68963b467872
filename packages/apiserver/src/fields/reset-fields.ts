import { FieldSet } from './field-set.ts'
import { fieldElement } from './path-element.ts'

/**
 * Fields that writes through a subresource do not change, by the name of the subresource; empty for the object
 * itself.
 */
export type ResetFields = Readonly<Record<string, FieldSet>>

const NONE = new FieldSet()
const STATUS = fieldsAtPaths('status')
const ALL_BUT_STATUS = fieldsAtPaths('metadata', 'spec')
const SPEC = fieldsAtPaths('spec')

/**
 * The fields that a write cannot change and does not own, because of its endpoint: the status in a write of the
 * object, and everything else in a write of the status. Where `own` is given, its fields replace these.
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
