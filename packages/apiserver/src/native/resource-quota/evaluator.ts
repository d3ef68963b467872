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
  /** Whether objects of the resource use what a quota names so. */
  measures(name: string): boolean
  /** What an object uses. `now` in milliseconds: a Pod that should be gone uses nothing. */
  usage(object: JsonObject, now: number): Amounts
  /** Whether an object is in a scope. Default: it is in none. */
  isInScope?(object: JsonObject, scope: ScopeRequirement): boolean
  /** What an object must say to be measured and does not, in the API's words. Default: nothing. */
  missing?(object: JsonObject, names: readonly string[]): string | undefined
}

/** Whether a value meets a requirement of a scope that names values. An absent value meets only negative ones. */
export function meets(value: string | undefined, { operator, values }: ScopeRequirement): boolean {
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
