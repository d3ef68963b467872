import { failure } from '@homeostat/api'
import { Failure } from '../registry/failure.ts'
import type { User } from './user.ts'

/** What a request wants to do. */
export interface Attributes {
  readonly verb: string
  /** The path, for requests that are about no resource. */
  readonly path: string
  readonly resource?:
    | { readonly group: string; readonly version: string; readonly plural: string }
    | undefined
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** Decides whether a user may do something; throws a `Failure` when not. */
export type Authorizer = (user: User, attributes: Attributes) => void | Promise<void>

const OPEN_PATHS = ['/healthz', '/livez', '/readyz', '/version']

/** Masters may do everything; others may only see how the server is, and its version. */
export const mastersOnly: Authorizer = (user, attributes) => {
  if (user.groups.includes('system:masters')) return
  const { verb, path, resource, name = '' } = attributes
  if (verb === 'get' && OPEN_PATHS.some((open) => path === open || path.startsWith(`${open}/`))) return
  if (!user.groups.includes('system:authenticated')) throw new Failure(failure.unauthorized())
  if (!resource) {
    throw new Failure(failure.forbidden(undefined, '', `User "${user.name}" cannot ${verb} path "${path}"`))
  }
  const where = attributes.namespace ? `in the namespace "${attributes.namespace}"` : 'at the cluster scope'
  const what = attributes.subresource ? `${resource.plural}/${attributes.subresource}` : resource.plural
  throw new Failure(
    failure.forbidden(
      resource,
      name,
      `User "${user.name}" cannot ${verb} resource "${what}" in API group "${resource.group}" ${where}`,
    ),
  )
}
