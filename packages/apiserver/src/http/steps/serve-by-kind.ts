import { subresourceAction, virtualAction } from '../actions/kind-actions.ts'
import type { Call } from '../request/call.ts'
import type { Step } from './step.ts'

/** Serves subresources other than `status`, which is written as a part of its object. */
export const serveSubresource: Step<Call> = (call, next, { actions }) => {
  const { subresource } = call.route
  return subresource === undefined || subresource === 'status' ? next(call) : subresourceAction(actions, call)
}

/** Serves resources of which nothing is stored, such as reviews. */
export const serveVirtualResource: Step<Call> = (call, next, { actions }) =>
  call.resource.virtual ? virtualAction(actions, call) : next(call)
