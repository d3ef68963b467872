import type { StructuralSchema } from '@homeostat/api'
import type { CompatibilityLevel, CompatibilityRule } from '@homeostat/cli'

/** The action of a client on an object. */
export type Action = 'create' | 'read' | 'keep' | 'other' | 'change' | 'apply'

/** Two schemas of one field, an object that was written under the old one, and what becomes of it under the new one. */
export interface SchemaPair {
  readonly title: string
  readonly level: CompatibilityLevel
  readonly rule?: CompatibilityRule
  readonly old: StructuralSchema
  readonly next: StructuralSchema
  /** The field's value in the stored object. Absent: the object leaves it out. */
  readonly stored?: unknown
  /** The value that a read under the new schema gives, where it has more than the stored one. */
  readonly becomes?: unknown
  /** The value that a client changes it to; the old schema accepts it. */
  readonly change?: unknown
  /** The field's value before that change. Default: the stored one. */
  readonly from?: unknown
  /** The configurations that two field managers have applied. The first one applies its part again. */
  readonly applied?: readonly [unknown, unknown]
  /** Which actions have another outcome, where the change is breaking. */
  readonly differs?: readonly Action[]
}

export const string: StructuralSchema = { type: 'string' }
export const integer: StructuralSchema = { type: 'integer' }
export const object = (
  properties: Record<string, StructuralSchema>,
  more: StructuralSchema = {},
): StructuralSchema => ({
  type: 'object',
  properties,
  ...more,
})
export const list = (items: StructuralSchema, more: StructuralSchema = {}): StructuralSchema => ({
  type: 'array',
  items,
  ...more,
})
export const rules = (...texts: string[]): StructuralSchema => ({
  'x-kubernetes-validations': texts.map((rule) => ({ rule })),
})
export const preserve: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true }
export const intOrString: StructuralSchema = { 'x-kubernetes-int-or-string': true }
export const named = object({ name: string, value: string }, { required: ['name'] })
export const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] } as const
