import { failure } from '@homeostat/api'
import { subresourceAction, virtualAction } from '../actions/kind-actions.ts'
import { statusAnswer } from '../answer/answer.ts'
import type { Call } from '../request/call.ts'
import { measureCall } from './measure.ts'
import type { Step } from './step.ts'

/** Serves subresources other than `status`, which is written as a part of its object. */
export const serveSubresource: Step<Call> = (call, next, server) => {
  const { route, resource } = call
  if (route.subresource === undefined || route.subresource === 'status') return next(call)
  const action = subresourceAction(server.actions, call)
  if (action) return measureCall(call, action, server)
  return statusAnswer(resource.custom ? failure.notFound(resource, route.name ?? '') : failure.pathNotFound())
}

/** Serves resources that are not stored, such as reviews. */
export const serveVirtualResource: Step<Call> = (call, next, { actions }) =>
  call.resource.virtual ? virtualAction(actions, call) : next(call)
