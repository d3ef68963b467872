import type { JsonObject } from '../../schema/index.ts'
import type { Amounts } from './amounts.ts'

/** A write that may change what a namespace uses. */
export interface MeasuredWrite {
  readonly operation: string
  readonly subresource?: string | undefined
  readonly object?: JsonObject | undefined
  readonly oldObject?: JsonObject | undefined
}

/** A requirement of a quota's scopes: `{ scopeName, operator, values }`. */
export interface ScopeRequirement {
  readonly scopeName: string
  readonly operator: string
  readonly values: readonly string[]
}

/** Measures what objects of one resource use. */
export interface QuotaEvaluator {
  /** Whether a write may change what is used. */
  handles(write: MeasuredWrite): boolean
  /** Whether objects of the resource use the resource that a quota limits under this name. */
  measures(name: string): boolean
  /** The usage of an object. `now` is the time in milliseconds: a Pod whose deletion is overdue uses nothing. */
  usage(object: JsonObject, now: number): Amounts
  /** Whether an object is in a scope. Default: it is in none. */
  isInScope?(object: JsonObject, scope: ScopeRequirement): boolean
  /** The missing fields without which an object cannot be measured, as the API's message. Default: none. */
  missing?(object: JsonObject, names: readonly string[]): string | undefined
}

/** Whether a value meets a scope's requirement with values. An absent value meets only `NotIn` and `DoesNotExist`. */
export function meetsScope(value: string | undefined, { operator, values }: ScopeRequirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'DoesNotExist':
      return value === undefined
    default:
      return value !== undefined
  }
}
