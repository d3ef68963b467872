import type { ApiRequest, Work } from '@homeostat/api'
import type { AdmissionChain } from '../../admission/index.ts'
import type { AuditRecord } from '../../audit/index.ts'
import type { Authorizer, User } from '../../auth/index.ts'
import type { Place, Registry, Resource, Target } from '../../registry/index.ts'
import type { LazyModule } from '../../work/index.ts'
import type { ResourceRoute } from './route.ts'

/** A parsed request for a resource: its user, its verb and its options. */
export interface Call {
  readonly registry: Registry
  readonly request: ApiRequest
  /** When the request came, in seconds of the metrics' clock. */
  readonly received: number
  /** Keeps a simulated clock from moving on until the request is answered. */
  readonly work: Work | undefined
  readonly route: ResourceRoute
  /** The verb of the API, such as `deletecollection`. */
  readonly verb: string
  readonly resource: Resource
  readonly user: User
  readonly authorizer: Authorizer
  /** Plugins that may modify or reject writes. They are loaded for requests that need them. */
  readonly admission: LazyModule<AdmissionChain>
  /** The audit record of the request. */
  readonly audit: AuditRecord | undefined
  /** Warnings for the client, which are sent in a header. */
  readonly warnings: string[]
}

/** Where the request reads or writes. */
export function placeOf({ resource, route, work }: Call): Place {
  return { resource, namespace: route.namespace, waiting: work }
}

/** The object that the request names. */
export function targetOf(call: Call): Target {
  return { ...placeOf(call), name: call.route.name ?? '' }
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])

/** Whether a request would write. */
export function isWrite({ verb }: Pick<Call, 'verb'>): boolean {
  return WRITES.has(verb)
}
