import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { quote } from '../../schema/index.ts'
import type { User } from './user.ts'

/** What a request asks to do. */
export interface Attributes {
  readonly verb: string
  /** The path of a request that is not for a resource. */
  readonly path: string
  readonly resource?:
    | { readonly group: string; readonly version: string; readonly plural: string }
    | undefined
  readonly subresource?: string | undefined
  readonly namespace?: string | undefined
  readonly name?: string | undefined
}

/** Whether a user may do something, with the reason. */
export interface Decision {
  readonly allowed: boolean
  /** Empty where there is no reason. */
  readonly reason: string
}

/** Decides whether a user may do something. */
export type Authorizer = (user: User, attributes: Attributes) => Decision

/** A refusal before the request itself is checked. */
export class AccessDenied extends Failure {}

/** Throws `Forbidden` where the authorizer does not allow the request. */
export function authorize(authorizer: Authorizer, user: User, attributes: Attributes): void {
  const { allowed, reason } = authorizer(user, attributes)
  if (!allowed) throw forbidden(user, attributes, reason)
}

/** The API's answer to a user without the right. */
export function forbidden(user: User, attributes: Attributes, reason = ''): AccessDenied {
  const { resource, name = '' } = attributes
  const why = reason === '' ? sentence(user, attributes) : `${sentence(user, attributes)}: ${reason}`
  return new AccessDenied(failure.forbidden(resource, name, why))
}

/** Escapes HTML, so that no browser interprets the answer. */
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
