import { failure, type Status } from '@homeostat/api'
import type { Resource } from '../../registry/index.ts'
import { statusAnswer, textAnswer } from '../answer/answer.ts'
import type { Call } from '../request/call.ts'
import { checkPathNames } from '../request/path-names.ts'
import type { ResourceRoute } from '../request/route.ts'
import type { Step } from './step.ts'

/** The verbs that take a name in the path. */
const OF_ONE = ['get', 'update', 'patch', 'delete']

/** Fails where a name or a namespace in the path cannot be a part of a key. */
export const checkNames: Step<Call> = (call, next) => {
  checkPathNames(call)
  return next(call)
}

/** Answers 404 for a cluster-scoped resource below a namespace. */
export const checkScope: Step<Call> = (call, next) =>
  call.resource.scope === 'Cluster' && call.route.namespace !== undefined
    ? statusAnswer(failure.pathNotFound())
    : next(call)

/** Answers requests whose path does not support the verb. */
export const checkVerb: Step<Call> = (call, next) => {
  const { route, resource, verb } = call
  if (route.subresource === 'status' && !resource.subresources.status) {
    return statusAnswer(
      resource.custom ? failure.notFound(resource, route.name ?? '') : failure.pathNotFound(),
    )
  }
  const unplaced = resource.scope === 'Namespaced' && route.namespace === undefined
  if (unplaced && resource.custom && verb !== 'list' && verb !== 'watch') {
    return textAnswer(404, '404 page not found\n')
  }
  if (unplaced && route.name !== undefined) return statusAnswer(failure.pathNotFound())
  if (route.name !== undefined && !OF_ONE.some((one) => resource.verbs.includes(one))) {
    return statusAnswer(failure.pathNotFound())
  }
  return takesVerb(resource, route, verb) ? next(call) : statusAnswer(refusal(resource, route, verb))
}

/** Whether the path supports the verb. A namespaced object is reached only through its namespace. */
function takesVerb(resource: Resource, route: ResourceRoute, verb: string): boolean {
  if (route.subresource === 'status') return ['get', 'update', 'patch'].includes(verb)
  if (!resource.verbs.includes(verb)) return false
  if (verb === 'list' || verb === 'watch') return true
  if (resource.scope === 'Namespaced' && route.namespace === undefined) return false
  // A custom object can also be created through its own path.
  if (resource.custom && verb === 'create') return true
  return (route.name !== undefined) === OF_ONE.includes(verb)
}

/** The API's answer to a verb that the path does not support. Custom kinds have different answers. */
function refusal(resource: Resource, route: ResourceRoute, verb: string): Status {
  if (!resource.custom) return failure.methodNotAllowed()
  if (route.name === undefined) return failure.badRequest('name must be provided')
  return failure.methodNotSupported(resource, verb)
}
