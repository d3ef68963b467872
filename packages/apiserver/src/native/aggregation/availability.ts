import { timestamp } from '@homeostat/api'
import { statusOf, type ServerObject } from '../../registry/index.ts'
import { equalJson, type JsonObject, listOf, objectOf } from '../../schema/index.ts'
import { availableCondition } from './extension.ts'

/** Whether an APIService is available, as its condition says it. */
export interface Availability {
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

export const LOCAL: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
}

export const PASSED: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' }

export function condition({ status, reason, message }: Availability, now: number): JsonObject {
  return { type: 'Available', status, lastTransitionTime: timestamp(now), reason, message }
}

/** The APIService with its condition Available set; undefined where the condition is the same already. */
export function withAvailability(
  apiService: ServerObject,
  found: Availability,
  now: number,
): ServerObject | undefined {
  const status = statusOf(apiService)
  const before = availableCondition(apiService)
  const made = condition(found, now)
  if (before?.['status'] === found.status) made['lastTransitionTime'] = before['lastTransitionTime']
  if (before && equalJson(before, made)) return undefined
  const others = listOf(status['conditions']).map(objectOf)
  const conditions = before ? others.map((one) => (one === before ? made : one)) : [...others, made]
  return { ...apiService, metadata: { ...apiService.metadata }, status: { ...status, conditions } }
}
