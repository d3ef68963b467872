import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { quote } from '../../schema/index.ts'
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

/** Whether a user may do something, and why so, or why not. */
export interface Decision {
  readonly allowed: boolean
  /** Empty where there is nothing to say. */
  readonly reason: string
}

/** Decides whether a user may do something. */
export type Authorizer = (user: User, attributes: Attributes) => Decision

/** That a user may not: found before anything else is looked at. */
export class AccessDenied extends Failure {}

/** Refuses what the authorizer does not allow. */
export function authorize(authorizer: Authorizer, user: User, attributes: Attributes): void {
  const { allowed, reason } = authorizer(user, attributes)
  if (!allowed) throw forbidden(user, attributes, reason)
}

/** What the API answers to a user who may not. */
export function forbidden(user: User, attributes: Attributes, reason = ''): AccessDenied {
  const { resource, name = '' } = attributes
  const why = reason === '' ? sentence(user, attributes) : `${sentence(user, attributes)}: ${reason}`
  return new AccessDenied(failure.forbidden(resource, name, why))
}

/** Nothing in it can be taken for HTML. */
function sentence(user: User, attributes: Attributes): string {
  const { verb, path, resource, subresource, namespace } = attributes
  const who = `User ${quote(user.name)} cannot ${verb}`
  const what = resource && (subresource ? `${resource.plural}/${subresource}` : resource.plural)
  const where = namespace ? `in the namespace ${quote(namespace)}` : 'at the cluster scope'
  const text = resource
    ? `${who} resource ${quote(what ?? '')} in API group ${quote(resource.group)} ${where}`
    : `${who} path ${quote(path)}`
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
