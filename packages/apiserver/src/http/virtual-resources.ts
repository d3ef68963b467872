import { failure, type ApiResponse } from '@homeostat/api'
import { statusAnswer } from './answer.ts'
import type { Call } from './call.ts'

/** Answers a request to a resource of which nothing is stored. The verb is one that the resource has. */
export type VirtualAction = (call: Call) => ApiResponse | Promise<ApiResponse>

/** What answers for the resources that are not stored, by `<group>/<plural>`. */
export type VirtualResources = ReadonlyMap<string, VirtualAction>

/** The answer of a resource that is not stored. */
export function virtualAction(resources: VirtualResources, call: Call): ApiResponse | Promise<ApiResponse> {
  const action = resources.get(`${call.resource.group}/${call.resource.plural}`)
  return action ? action(call) : statusAnswer(failure.methodNotAllowed())
}
