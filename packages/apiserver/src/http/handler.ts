import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { authenticate, type Attributes, type Authorizer, type TokenReader, type User } from '../auth/index.ts'
import { discover } from '../discovery/index.ts'
import { Failure } from '../registry/failure.ts'
import type { Registry } from '../registry/registry.ts'
import type { Resource } from '../registry/resource.ts'
import {
  createAction,
  deleteAction,
  deleteCollectionAction,
  getAction,
  listAction,
  patchAction,
  updateAction,
  watchAction,
} from './actions.ts'
import { statusAnswer, textAnswer } from './answer.ts'
import type { Call } from './call.ts'
import { healthAnswer } from './health.ts'
import { isTrue } from './request-options.ts'
import { routeOf, type ResourceRoute } from './route.ts'
import { subresourceAction, type Subresources } from './subresources.ts'

/** What a handler works with. */
export interface HandlerOptions {
  readonly registry: Registry
  readonly readToken: TokenReader
  readonly authorize: Authorizer
  /** What is served below an object besides `status` and `scale`. */
  readonly subresources: Subresources
  /** Told of every request that would write, after it was answered. */
  readonly onWrite?: ((write: WriteRecord) => void) | undefined
}

/** A request that would write. */
export interface WriteRecord {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
  readonly fieldManager?: string | undefined
  readonly userAgent?: string | undefined
  readonly user: string
  /** The status code of the answer. */
  readonly code: number
}

/** Answers a request; `user` is who sends it, where that is known without a token. */
export type Serve = (request: ApiRequest, user?: User) => Promise<ApiResponse>

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])

/**
 * The server as a function: route, authenticate, authorize, then the verb. It rejects only when the
 * request's signal has aborted; everything else that goes wrong is answered with a Status.
 */
export function createHandler(options: HandlerOptions): Serve {
  const { registry } = options
  return async (request, user) => {
    using _work = registry.clock.busy(`${request.method} ${request.path}`)
    request.signal?.throwIfAborted()
    try {
      if (registry.closed) throw new Failure(failure.serviceUnavailable('the API server is closed'))
      return await answer(options, request, user ?? authenticate(request.headers, options.readToken))
    } catch (error) {
      if (error instanceof Failure) return statusAnswer(error.status)
      request.signal?.throwIfAborted()
      return statusAnswer(failure.internalError(error instanceof Error ? error.message : String(error)))
    }
  }
}

async function answer(options: HandlerOptions, request: ApiRequest, user: User): Promise<ApiResponse> {
  const { registry, authorize } = options
  const route = routeOf(request.path)
  if (!route) {
    await authorize(user, { verb: request.method.toLowerCase(), path: request.path })
    return (
      healthAnswer(request) ??
      discover(request, registry.catalogue) ??
      textAnswer(404, '404 page not found\n')
    )
  }
  const verb = verbOf(request, route)
  const { group, version, plural } = route
  const attributes: Attributes = {
    verb,
    path: request.path,
    resource: { group, version, plural },
    subresource: route.subresource,
    namespace: route.namespace,
    name: route.name,
  }
  await authorize(user, attributes)
  const resource = registry.catalogue.find(group, version, plural)
  if (!resource) {
    if (registry.catalogue.isWithinGroup(group, version)) return statusAnswer(failure.pathNotFound())
    return textAnswer(404, '404 page not found\n')
  }
  const call: Call = { registry, request, route, resource, user, warnings: [] }
  if (!WRITES.has(verb) || !options.onWrite) return act(options, call, verb)
  let code = 500
  try {
    const response = await act(options, call, verb)
    code = response.status
    return response
  } catch (error) {
    if (error instanceof Failure) code = error.status.code
    throw error
  } finally {
    options.onWrite(recordOf(call, verb, code))
  }
}

function act(options: HandlerOptions, call: Call, verb: string): ApiResponse | Promise<ApiResponse> {
  const { route, resource } = call
  if (resource.scope === 'Cluster' && route.namespace !== undefined)
    return statusAnswer(failure.pathNotFound())
  if (route.subresource !== undefined && route.subresource !== 'status') {
    return subresourceAction(options.subresources, call)
  }
  if (route.subresource === 'status' && !resource.subresources.status)
    return statusAnswer(failure.pathNotFound())
  if (!allowed(resource, route, verb)) return statusAnswer(failure.methodNotAllowed())
  switch (verb) {
    case 'get':
      return getAction(call)
    case 'list':
      return listAction(call)
    case 'watch':
      return watchAction(call)
    case 'create':
      return createAction(call)
    case 'update':
      return updateAction(call)
    case 'patch':
      return patchAction(call)
    case 'delete':
      return deleteAction(call)
    default:
      return deleteCollectionAction(call)
  }
}

/** Whether the path takes the verb: a namespaced object is reached through its namespace only. */
function allowed(resource: Resource, route: ResourceRoute, verb: string): boolean {
  if (route.subresource === 'status') return ['get', 'update', 'patch'].includes(verb)
  if (!resource.verbs.includes(verb)) return false
  if (verb === 'list' || verb === 'watch') return true
  if (resource.scope === 'Namespaced' && route.namespace === undefined) return false
  return (route.name !== undefined) === ['get', 'update', 'patch', 'delete'].includes(verb)
}

function verbOf(request: ApiRequest, route: ResourceRoute): string {
  switch (request.method) {
    case 'GET':
    case 'HEAD':
      if (route.watch) return 'watch'
      if (route.name !== undefined) return 'get'
      return isTrue(request.query.get('watch')) ? 'watch' : 'list'
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return route.name === undefined ? 'deletecollection' : 'delete'
    default:
      return request.method.toLowerCase()
  }
}

function recordOf(call: Call, verb: string, code: number): WriteRecord {
  const { route, request, user } = call
  return {
    verb,
    group: route.group,
    resource: route.plural,
    subresource: route.subresource,
    namespace: route.namespace,
    name: route.name,
    fieldManager: request.query.get('fieldManager') ?? undefined,
    userAgent: request.headers['user-agent'],
    user: user.name,
    code,
  }
}
