import { failure, type ApiResponse } from '@homeostat/api'
import type { Resource } from '../../registry/index.ts'
import { statusAnswer } from '../answer/answer.ts'
import type { Call } from '../request/call.ts'
import { lateActions } from './lazy-actions.ts'

/** Answers a request for one kind or one subresource. */
export type KindAction = (call: Call) => ApiResponse | Promise<ApiResponse>

/** The actions that native kinds provide. The native kinds must have been loaded. */
export interface KindActions {
  /** Answers requests to a subresource; undefined where the kind has no such action. */
  subresource(resource: Resource, name: string): KindAction | undefined
  /** Answers all requests to a resource that is not stored. */
  virtual(resource: Resource): KindAction | undefined
}

/** The action of a subresource other than `status`; undefined when there is none of that name. */
export function subresourceAction(actions: KindActions, { resource, route }: Call): KindAction | undefined {
  const { subresource: name = '' } = route
  const own = resource.custom ? undefined : actions.subresource(resource, name)
  if (own) return own
  if (Object.hasOwn(resource.strategy().parts ?? {}, name)) return lateActions.get().partAction
  return name === 'scale' && resource.subresources.scale ? lateActions.get().scaleAction : undefined
}

/** The answer of a resource that is not stored. The resource must have the verb. */
export function virtualAction(actions: KindActions, call: Call): ApiResponse | Promise<ApiResponse> {
  return actions.virtual(call.resource)?.(call) ?? statusAnswer(failure.methodNotAllowed())
}
