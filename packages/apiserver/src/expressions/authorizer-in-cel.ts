import {
  labelProblems,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
  subdomainProblems,
} from '@homeostat/api'
import {
  EvaluationError,
  opaqueType,
  OpaqueValue,
  overload,
  type Library,
  type Type,
  type Value,
} from '@homeostat/cel'
import {
  authenticated,
  serviceAccountGroups,
  serviceAccountUser,
  type Attributes,
  type Decision,
  type User,
} from '../auth/index.ts'
import type { KnownDecisions } from './known-decisions.ts'

const NAME = 'kubernetes.authorization'
const AUTHORIZER = `${NAME}.Authorizer`
const PATH_CHECK = `${NAME}.PathCheck`
const GROUP_CHECK = `${NAME}.GroupCheck`
const RESOURCE_CHECK = `${NAME}.ResourceCheck`
const DECISION = `${NAME}.Decision`

/** The types of the variables `authorizer` and `authorizer.requestResource`. */
export const AUTHORIZER_TYPE: Type = opaqueType(AUTHORIZER)
export const REQUEST_RESOURCE_TYPE: Type = opaqueType(RESOURCE_CHECK)

/** The user whose rights an expression checks. */
interface CheckedUser {
  readonly decisions: KnownDecisions
  readonly user: User
}

class AuthorizerValue extends OpaqueValue {
  readonly type: Type = AUTHORIZER_TYPE
  readonly asked: CheckedUser

  constructor(asked: CheckedUser) {
    super()
    this.asked = asked
  }

  override equals(other: OpaqueValue): boolean {
    return this === other
  }
}

/** A check without its verb. */
class CheckValue extends OpaqueValue {
  readonly type: Type
  readonly asked: CheckedUser
  readonly attributes: Omit<Attributes, 'verb'>

  constructor(type: string, asked: CheckedUser, attributes: Omit<Attributes, 'verb'>) {
    super()
    this.type = opaqueType(type)
    this.asked = asked
    this.attributes = attributes
  }

  with(change: Partial<Attributes>): CheckValue {
    return new CheckValue(RESOURCE_CHECK, this.asked, { ...this.attributes, ...change })
  }

  override equals(other: OpaqueValue): boolean {
    return this === other
  }
}

class DecisionValue extends OpaqueValue {
  readonly type: Type = opaqueType(DECISION)
  readonly decision: Decision

  constructor(decision: Decision) {
    super()
    this.decision = decision
  }

  override equals(other: OpaqueValue): boolean {
    return this === other
  }
}

/** The authorizer as expressions see it, for the user who sent a request. */
export function authorizerInCel(decisions: KnownDecisions, user: User): Value {
  return new AuthorizerValue({ decisions, user })
}

/** The check of the user's rights on the request's resource. */
export function requestResourceInCel(
  decisions: KnownDecisions,
  user: User,
  resource: Pick<Attributes, 'resource' | 'subresource' | 'namespace' | 'name'>,
): Value {
  return new CheckValue(RESOURCE_CHECK, { decisions, user }, { path: '', ...resource })
}

/** Asserts what the type checker guarantees: an overload gets only values of its types. */
function expectType<T extends Value>(value: Value, type: abstract new (...args: never) => T): T {
  if (value instanceof type) return value
  throw new TypeError(`an expression called a function with a value that is not of type ${type.name}`)
}

const asked = (value: Value): CheckedUser => expectType(value, AuthorizerValue).asked
const check = (value: Value): CheckValue => expectType(value, CheckValue)
const decision = (value: Value): Decision => expectType(value, DecisionValue).decision

function decide(value: Value, verb: string): DecisionValue {
  const { asked: whose, attributes } = check(value)
  return new DecisionValue(whose.decisions.decide(whose.user, { ...attributes, verb }))
}

/** Parses a selector; undefined where the text is invalid, so that the check is about all objects. */
function selected<T>(text: string, parse: (text: string) => T): T | undefined {
  try {
    return text === '' ? undefined : parse(text)
  } catch (error) {
    if (error instanceof SelectorError) return undefined
    throw error
  }
}

/** Kubernetes' functions that ask whether a user may do something. */
export const authorizerLibrary: Library = {
  overloads: [
    overload('path', 'authorizer_path', `${AUTHORIZER}.(string) -> ${PATH_CHECK}`, (self, path) => {
      if (path.trim() === '') return new EvaluationError('path must not be empty')
      return new CheckValue(PATH_CHECK, asked(self), { path })
    }),
    overload(
      'group',
      'authorizer_group',
      `${AUTHORIZER}.(string) -> ${GROUP_CHECK}`,
      (self, group) =>
        new CheckValue(GROUP_CHECK, asked(self), { path: '', resource: { group, version: '*', plural: '' } }),
    ),
    overload(
      'serviceAccount',
      'authorizer_serviceaccount',
      `${AUTHORIZER}.(string, string) -> ${AUTHORIZER}`,
      (self, namespace, name) => {
        if (subdomainProblems(name).length > 0) return new EvaluationError('Invalid service account name')
        if (labelProblems(namespace).length > 0) {
          return new EvaluationError('Invalid service account namespace')
        }
        const user = { name: serviceAccountUser(namespace, name), groups: serviceAccountGroups(namespace) }
        return new AuthorizerValue({ ...asked(self), user: authenticated(user) })
      },
    ),
    overload(
      'resource',
      'groupcheck_resource',
      `${GROUP_CHECK}.(string) -> ${RESOURCE_CHECK}`,
      (self, plural) => {
        const { group = '', version = '*' } = check(self).attributes.resource ?? {}
        return check(self).with({ resource: { group, version, plural } })
      },
    ),
    overload(
      'subresource',
      'resourcecheck_subresource',
      `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`,
      (self, subresource) => check(self).with({ subresource: subresource || undefined }),
    ),
    overload(
      'namespace',
      'resourcecheck_namespace',
      `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`,
      (self, namespace) => check(self).with({ namespace: namespace || undefined }),
    ),
    overload('name', 'resourcecheck_name', `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`, (self, name) =>
      check(self).with({ name: name || undefined }),
    ),
    overload(
      'fieldSelector',
      'authorizer_fieldselector',
      `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`,
      (self, text) => check(self).with({ fieldSelector: selected(text, parseFieldSelector) }),
    ),
    overload(
      'labelSelector',
      'authorizer_labelselector',
      `${RESOURCE_CHECK}.(string) -> ${RESOURCE_CHECK}`,
      (self, text) => check(self).with({ labelSelector: selected(text, parseLabelSelector) }),
    ),
    overload('check', 'pathcheck_check', `${PATH_CHECK}.(string) -> ${DECISION}`, decide),
    overload('check', 'resourcecheck_check', `${RESOURCE_CHECK}.(string) -> ${DECISION}`, decide),
    overload('allowed', 'decision_allowed', `${DECISION}.() -> bool`, (self) => decision(self).allowed),
    overload('reason', 'decision_reason', `${DECISION}.() -> string`, (self) => decision(self).reason),
    overload(
      'errored',
      'decision_errored',
      `${DECISION}.() -> bool`,
      (self) => decision(self).error !== undefined,
    ),
    overload('error', 'decision_error', `${DECISION}.() -> string`, (self) => decision(self).error ?? ''),
  ],
}
