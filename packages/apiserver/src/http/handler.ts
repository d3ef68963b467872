import { failure, type ApiRequest, type ApiResponse, type Status } from '@homeostat/api'
import type { AdmissionChain } from '../admission/index.ts'
import {
  AccessDenied,
  authenticate,
  authorize,
  type Impersonation,
  type Authorizer,
  type CertificateUser,
  type ServiceAccountTokens,
  type TokenReader,
  type User,
} from '../auth/index.ts'
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
} from './actions/actions.ts'
import { inAcceptedForm } from './answer/accepted-form.ts'
import { statusAnswer, textAnswer } from './answer/answer.ts'
import { withAuditId } from './steps/audit-id.ts'
import { attributesOf } from './request/attributes.ts'
import type { Call } from './request/call.ts'
import { withDeprecation } from './steps/deprecation.ts'
import { withFailureWarnings } from './steps/failure-warnings.ts'
import { healthAnswer, isHealthPath } from './paths/health.ts'
import { subresourceAction, virtualAction, type KindActions } from './actions/kind-actions.ts'
import { partsFor } from './steps/needed-parts.ts'
import { openIdAnswer } from './paths/open-id.ts'
import { isStoreFailure } from '../storage/index.ts'
import { checkPathNames } from './request/path-names.ts'
import { isTrue } from './request/request-options.ts'
import { rootAnswer } from './paths/root-paths.ts'
import { isReadable, routeOf, type ResourceRoute } from './request/route.ts'
import { storeFailure, whenSaved } from './steps/when-saved.ts'

/** What a handler works with. */
export interface HandlerOptions {
  readonly registry: Registry
  readonly readToken: TokenReader
  readonly authorizer: Authorizer
  readonly impersonation: Impersonation
  readonly serviceAccounts: ServiceAccountTokens
  readonly admission: AdmissionChain
  /** The actions of native kinds, such as what answers for their subresources. */
  readonly actions: KindActions
  /** Called for every write request, after it was answered. */
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

/** Who sends a request, as far as something other than the request says so. */
export interface Sender {
  /** Settles it: then neither a certificate nor a token is looked at. */
  readonly user?: User | undefined
  readonly certificate?: CertificateUser
}

/** Answers a request. */
export type Serve = (request: ApiRequest, sender?: Sender) => Promise<ApiResponse>

/** The verbs that take a name in the path. */
const OF_ONE = ['get', 'update', 'patch', 'delete']
const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])

/**
 * The server as a function: route, authenticate, authorize, then the verb. It rejects only when the
 * request's signal has aborted; everything else that goes wrong is answered with a Status.
 */
export function createHandler(options: HandlerOptions): Serve {
  const { registry } = options
  return async (request, sender = {}) => {
    using _work = registry.clock.busy(`${request.method} ${request.path}`)
    request.signal?.throwIfAborted()
    if (!isReadable(request.path)) return unreadablePath()
    await partsFor(request, registry)
    const formed = inAcceptedForm(request, await outcome(options, request, sender), registry.background)
    return withAuditId(formed instanceof Promise ? await formed : formed, request, registry.clock)
  }
}

async function outcome(options: HandlerOptions, request: ApiRequest, sender: Sender): Promise<ApiResponse> {
  const { registry } = options
  try {
    if (registry.closed) throw new Failure(failure.serviceUnavailable('the API server is closed'))
    const asker = sender.user ?? (await authenticate(request.headers, options.readToken, sender.certificate))
    const response = await answer(options, request, asker)
    // That the store fails is told by the checks themselves.
    return isHealthPath(request.path) ? response : await whenSaved(registry.store, response)
  } catch (error) {
    if (error instanceof AccessDenied) return withoutSniffing(statusAnswer(error.status))
    if (error instanceof Failure) return await whenSaved(registry.store, statusAnswer(error.status))
    request.signal?.throwIfAborted()
    if (isStoreFailure(error)) return statusAnswer(storeFailure(error))
    return statusAnswer(failure.internalError(error instanceof Error ? error.message : String(error)))
  }
}

/** Keeps browsers from interpreting an answer as anything but its content type. */
function withoutSniffing(response: ApiResponse): ApiResponse {
  return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } }
}

async function answer(options: HandlerOptions, request: ApiRequest, asker: User): Promise<ApiResponse> {
  const { registry, authorizer, impersonation } = options
  const route = routeOf(request.path)
  const verb = route ? verbOf(request, route) : request.method.toLowerCase()
  const attributes = attributesOf(request, route, verb)
  const user = impersonation.userOf(asker, request.headers, attributes)
  authorize(authorizer, user, attributes)
  if (!route) {
    return (
      (await healthAnswer(request, registry.store)) ??
      rootAnswer(request, registry.catalogue) ??
      (await openIdAnswer(request, options.serviceAccounts)) ??
      (await discover(request, registry.catalogue)) ??
      nowhere(request.path, registry)
    )
  }
  const { group, version, plural } = route
  const resource = registry.catalogue.find(group, version, plural)
  if (!resource) {
    if (registry.catalogue.isNativeGroup(group)) return statusAnswer(failure.pathNotFound())
    return textAnswer(404, '404 page not found\n')
  }
  const call: Call = {
    registry,
    request,
    route,
    resource,
    user,
    authorizer,
    admission: options.admission,
    warnings: [],
  }
  checkPathNames(call)
  if (!WRITES.has(verb) || !options.onWrite) return served(options, call, verb)
  let code = 500
  try {
    const response = await served(options, call, verb)
    code = response.status
    return response
  } catch (error) {
    if (error instanceof Failure) code = error.status.code
    throw error
  } finally {
    options.onWrite(recordOf(call, verb, code))
  }
}

function served(options: HandlerOptions, call: Call, verb: string): ApiResponse | Promise<ApiResponse> {
  const { deprecation } = call.resource
  const serve = () =>
    WRITES.has(verb) ? withFailureWarnings(call, () => act(options, call, verb)) : act(options, call, verb)
  return deprecation === undefined ? serve() : withDeprecation(deprecation, serve)
}

/** A path that cannot be decoded ends the connection in a Kubernetes API server, before it knows who asks. */
function unreadablePath(): ApiResponse {
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }
  return { status: 400, headers, body: new TextEncoder().encode('400 Bad Request') }
}

/** Native groups answer for all that is below them, whatever it is. */
function nowhere(path: string, registry: Registry): ApiResponse {
  const group = path.startsWith('/api/') ? '' : /^\/apis\/([^/]+)\//.exec(path)?.[1]
  return group !== undefined && registry.catalogue.isNativeGroup(group)
    ? statusAnswer(failure.pathNotFound())
    : textAnswer(404, '404 page not found\n')
}

function act(options: HandlerOptions, call: Call, verb: string): ApiResponse | Promise<ApiResponse> {
  const { route, resource } = call
  if (resource.scope === 'Cluster' && route.namespace !== undefined)
    return statusAnswer(failure.pathNotFound())
  if (route.subresource !== undefined && route.subresource !== 'status') {
    return subresourceAction(options.actions, call)
  }
  if (route.subresource === 'status' && !resource.subresources.status)
    return statusAnswer(
      resource.custom ? failure.notFound(resource, route.name ?? '') : failure.pathNotFound(),
    )
  const unplaced = resource.scope === 'Namespaced' && route.namespace === undefined
  if (unplaced && resource.custom && verb !== 'list' && verb !== 'watch')
    return textAnswer(404, '404 page not found\n')
  if (unplaced && route.name !== undefined) return statusAnswer(failure.pathNotFound())
  if (route.name !== undefined && !OF_ONE.some((one) => resource.verbs.includes(one)))
    return statusAnswer(failure.pathNotFound())
  if (!allowed(resource, route, verb)) return statusAnswer(refusal(resource, route, verb))
  if (resource.virtual) return virtualAction(options.actions, call)
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

/** What a path says of a verb that it does not take. Custom kinds speak for themselves. */
function refusal(resource: Resource, route: ResourceRoute, verb: string): Status {
  if (!resource.custom) return failure.methodNotAllowed()
  if (route.name === undefined) return failure.badRequest('name must be provided')
  return failure.methodNotSupported(resource, verb)
}

/** Whether the path takes the verb: a namespaced object is reached through its namespace only. */
function allowed(resource: Resource, route: ResourceRoute, verb: string): boolean {
  if (route.subresource === 'status') return ['get', 'update', 'patch'].includes(verb)
  if (!resource.verbs.includes(verb)) return false
  if (verb === 'list' || verb === 'watch') return true
  if (resource.scope === 'Namespaced' && route.namespace === undefined) return false
  // A custom object is created by its own path too.
  if (resource.custom && verb === 'create') return true
  return (route.name !== undefined) === OF_ONE.includes(verb)
}

function verbOf(request: ApiRequest, route: ResourceRoute): string {
  switch (request.method) {
    case 'GET':
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
