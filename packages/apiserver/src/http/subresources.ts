import { failure, type ApiResponse } from '@homeostat/api'
import { statusAnswer } from './answer.ts'
import type { Call } from './call.ts'

/** Answers a request to a subresource. */
export type SubresourceAction = (call: Call) => ApiResponse | Promise<ApiResponse>

/** What is served below objects, by `<group>/<plural>/<subresource>`; `*` stands for every resource. */
export type Subresources = ReadonlyMap<string, SubresourceAction>

/** The answer of a subresource; 404 when there is none of that name. */
export function subresourceAction(
  subresources: Subresources,
  call: Call,
): ApiResponse | Promise<ApiResponse> {
  const { group, plural, subresource } = call.route
  const action = subresources.get(`${group}/${plural}/${subresource}`) ?? subresources.get(`*/${subresource}`)
  if (action) return action(call)
  const { custom } = call.resource
  return statusAnswer(
    custom ? failure.notFound(call.resource, call.route.name ?? '') : failure.pathNotFound(),
  )
}
