import { failure, type ApiResponse } from '@homeostat/api'
import { type Call, objectBody } from '../../http/index.ts'
import { Failure } from '../../registry/index.ts'
import { bindingAction } from '../pod/pod-actions.ts'

/** POST of `bindings`: the same as `pods/<name>/binding`, with the Pod's name in the body alone. */
export function bindingsAction(call: Call): ApiResponse | Promise<ApiResponse> {
  const pods = call.registry.catalogue.find('', 'v1', 'pods')
  if (!pods) throw new Failure(failure.notFound({ group: '', plural: 'pods' }, ''))
  const { name } = objectBody(call).object.metadata
  const route = {
    ...call.route,
    plural: 'pods',
    name: typeof name === 'string' ? name : '',
    subresource: 'binding',
  }
  return bindingAction({ ...call, resource: pods, route }, call)
}
