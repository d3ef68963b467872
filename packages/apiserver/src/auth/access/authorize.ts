import { failure, type FieldSelector, type LabelSelector } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { quote } from '../../schema/index.ts'
import type { User } from './user.ts'

/** The action that a request asks for. */
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
  /** The field selector of a list, a watch or a deletion of many objects. Roles ignore it; webhooks receive it. */
  readonly fieldSelector?: FieldSelector | undefined
  readonly labelSelector?: LabelSelector | undefined
}

/** Whether a user may do something, with the reason. */
export interface Decision {
  readonly allowed: boolean
  /** Empty where there is no reason. */
  readonly reason: string
  /** Whether no later authorizer may allow it. Default: false. */
  readonly denied?: boolean | undefined
  /** Why an authorizer could not decide. */
  readonly error?: string | undefined
}

/** Allowed, without a reason. */
export const ALLOWED: Decision = { allowed: true, reason: '' }

/** Decides whether a user may do something. The answer is a promise only where an authorizer must wait, such as a webhook. */
export type Authorizer = (user: User, attributes: Attributes) => Decision | Promise<Decision>

/** A computation that asks an authorizer: it yields each answer, and continues with the decision. */
export type Asking<T> = Generator<Decision | Promise<Decision>, T, Decision>

/** The result of a computation that asks an authorizer. It is a promise only where one of the answers is a promise. */
export function whenDecided<T>(asking: Asking<T>): T | Promise<T> {
  let step = asking.next()
  while (!step.done) {
    if (step.value instanceof Promise) return whenAllDecided(asking, step.value)
    step = asking.next(step.value)
  }
  return step.value
}

async function whenAllDecided<T>(asking: Asking<T>, first: Promise<Decision>): Promise<T> {
  let step = asking.next(await first)
  while (!step.done) step = asking.next(await step.value)
  return step.value
}

/** A refusal before the request itself is checked. */
export class AccessDenied extends Failure {}

/** The API's answer to a user without the right. */
export function forbidden(user: User, attributes: Attributes, reason = ''): AccessDenied {
  const { resource, name = '' } = attributes
  const why = reason === '' ? sentence(user, attributes) : `${sentence(user, attributes)}: ${reason}`
  return new AccessDenied(failure.forbidden(resource, name, why))
}

function sentence(user: User, attributes: Attributes): string {
  const { verb, path, resource, subresource, namespace } = attributes
  const who = `User ${quote(user.name)} cannot ${verb}`
  const what = resource && (subresource ? `${resource.plural}/${subresource}` : resource.plural)
  const where = namespace ? `in the namespace ${quote(namespace)}` : 'at the cluster scope'
  const text = resource
    ? `${who} resource ${quote(what ?? '')} in API group ${quote(resource.group)} ${where}`
    : `${who} path ${quote(path)}`
  return escapeHtml(text)
}

/** Escapes HTML, so that no browser interprets an answer with text of the client. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
