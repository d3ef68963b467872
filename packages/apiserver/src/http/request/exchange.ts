import type { ApiRequest, Work } from '@homeostat/api'
import { ANONYMOUS, type Attributes, type CertificateUser, type User } from '../../auth/index.ts'
import type { AuditRecord } from '../../audit/index.ts'
import type { Flow } from '../../flow-control/index.ts'
import { attributesOf } from './attributes.ts'
import { isTrue } from './request-options.ts'
import { routeOf, type ResourceRoute } from './route.ts'

/** The facts about a request's sender that do not come from the request. */
export interface Sender {
  /** The user. If it is set, certificate and token are ignored. */
  readonly user?: User | undefined
  readonly certificate?: CertificateUser
}

/** A request on its way through the steps of the handler. */
export interface Exchange {
  readonly request: ApiRequest
  readonly sender: Sender
  /** The resource that the path names; undefined for other paths. */
  readonly route: ResourceRoute | undefined
  /** The verb of the API for a resource; for other paths the HTTP method. */
  readonly verb: string
  /** The action that the request asks for, in the terms of authorizers. */
  readonly attributes: Attributes
  /** When the request came, in seconds of the metrics' clock. */
  received: number
  /** Keeps a simulated clock from moving on until the request is answered. */
  work?: Work | undefined
  /** The id by which logs name the request, where there is an audit log. */
  auditId?: string | undefined
  /** The flow that the request belongs to, where it may have to wait. */
  flow?: Flow | undefined
  /** The audit record of the request. */
  audit?: AuditRecord | undefined
  /** Whether authentication has named the user. */
  isLoggedIn?: boolean
  /** A warning to the client about its credentials. */
  loginWarning?: string | undefined
  /** Annotations about the credentials for the audit log. */
  loginAnnotations?: Readonly<Record<string, string>> | undefined
  /** The user of the request. Anonymous until authentication has named one. */
  user: User
}

/** A request before its first step. */
export function exchangeOf(request: ApiRequest, sender: Sender): Exchange {
  const route = routeOf(request.path)
  const verb = route ? verbOf(request, route) : request.method.toLowerCase()
  const attributes = attributesOf(request, route, verb)
  return { request, sender, route, verb, attributes, received: 0, user: ANONYMOUS }
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
