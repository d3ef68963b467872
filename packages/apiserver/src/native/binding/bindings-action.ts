import { failure, type ApiResponse } from '@homeostat/api'
import { type Call, objectBody } from '../../http/index.ts'
import { checkNamespace, Failure } from '../../registry/index.ts'
import { bindingAction } from '../pod/pod-actions.ts'

/** POST of `bindings`: the same as `pods/<name>/binding`, with the Pod's name in the body alone. */
export function bindingsAction(call: Call): ApiResponse | Promise<ApiResponse> {
  const resource = call.registry.catalogue.find('', 'v1', 'pods')
  const { metadata } = objectBody(call).object
  checkNamespace(metadata, call.route.namespace)
  const { name } = metadata
  if (!resource || !name) throw new Failure(failure.badRequest('name is required'))
  const route = { ...call.route, plural: 'pods', name, subresource: 'binding' }
  return bindingAction({ ...call, resource, route }, call)
}
