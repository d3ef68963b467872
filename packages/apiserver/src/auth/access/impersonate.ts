import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { quote, subdomainProblems } from '../../schema/index.ts'
import {
  AccessDenied,
  forbidden,
  whenDecided,
  type Asking,
  type Attributes,
  type Authorizer,
} from './authorize.ts'
import { serviceAccountGroups, serviceAccountOf } from './service-account-name.ts'
import { ANONYMOUS, AUTHENTICATED, MASTERS, UNAUTHENTICATED, type User } from './user.ts'

/** Separates the values of a header that was sent several times: no value can contain it. */
export const HEADER_SEPARATOR = '\n'
const EXTRA_HEADER = 'impersonate-extra-'
const AUTHENTICATION = { group: 'authentication.k8s.io', version: 'v1' }
const CORE = { group: '', version: 'v1' }
const NODE = 'system:node:'
const NODE_NAME = 'authentication.kubernetes.io/node-name'
/** From this number of groups or values on, a single check for `*` comes first. */
const MANY = 4

/**
 * A way to act as another user. The constrained modes also check whether the sender may make this request in that
 * way.
 */
interface Mode {
  /** Undefined for the oldest mode, which allows all requests that the other user may make. */
  readonly name?: 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info'
  fits(wanted: User, requestor: User): boolean
}

const MODES: readonly Mode[] = [
  {
    name: 'associated-node',
    fits: (wanted, requestor) =>
      onlyNamed(wanted) &&
      nodeOf(wanted.name) !== undefined &&
      serviceAccountOf(requestor.name) !== undefined &&
      requestor.extra?.[NODE_NAME]?.length === 1 &&
      requestor.extra[NODE_NAME][0] === nodeOf(wanted.name),
  },
  { name: 'arbitrary-node', fits: (wanted) => onlyNamed(wanted) && nodeOf(wanted.name) !== undefined },
  {
    name: 'serviceaccount',
    fits: (wanted) => onlyNamed(wanted) && serviceAccountOf(wanted.name) !== undefined,
  },
  {
    name: 'user-info',
    fits: (wanted) => nodeOf(wanted.name) === undefined && serviceAccountOf(wanted.name) === undefined,
  },
  { fits: () => true },
]

/** The user as whom the server carries out a request. */
export interface ActingUser {
  readonly user: User
  /** The verb of the right by which the sender acts as the user; undefined for `impersonate`, which has no constraint. */
  readonly constraint?: string | undefined
}

/** The number of senders whose last mode is cached. */
const MOST_REMEMBERED = 1_000

/** Lets senders act as other users where they have the right. */
export class Impersonation {
  readonly #authorizer: Authorizer
  /** The last successful mode of each sender, which is tried first. */
  readonly #last = new Map<string, Mode>()

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer
  }

  /**
   * The user for whom a request is carried out: the sender, or the user in its `Impersonate-…` headers, if the sender
   * may act as them. Fails with `Forbidden`, or with `BadRequest` when the headers name no user.
   */
  userOf(
    requestor: User,
    headers: Readonly<Record<string, string>>,
    attributes: Attributes,
  ): ActingUser | Promise<ActingUser> {
    const wanted = wantedUser(headers)
    return wanted ? whenDecided(this.#actAs(requestor, wanted, attributes)) : { user: requestor }
  }

  *#actAs(requestor: User, wanted: User, attributes: Attributes): Asking<ActingUser> {
    let first: unknown
    const last = this.#last.get(requestor.name)
    for (const mode of last ? [last, ...MODES.filter((one) => one !== last)] : MODES) {
      if (!mode.fits(wanted, requestor)) continue
      try {
        const user = yield* actAs(this.#authorizer, mode, requestor, wanted, attributes)
        if (this.#last.size >= MOST_REMEMBERED) this.#last.clear()
        this.#last.set(requestor.name, mode)
        return { user, constraint: mode.name && `impersonate:${mode.name}` }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        first ??= error
      }
    }
    throw first
  }
}

/** The user in the headers; undefined when there are none. */
function wantedUser(headers: Readonly<Record<string, string>>): User | undefined {
  if (!Object.keys(headers).some((header) => header.startsWith('impersonate-'))) return undefined
  const extras = new Map<string, string[]>()
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith(EXTRA_HEADER)) continue
    const key = unescaped(header.slice(EXTRA_HEADER.length))
    extras.set(key, [...(extras.get(key) ?? []), ...value.split(HEADER_SEPARATOR)])
  }
  const extra = Object.fromEntries(extras)
  const groups = headers['impersonate-group']?.split(HEADER_SEPARATOR) ?? []
  const [name = ''] = (headers['impersonate-user'] ?? '').split(HEADER_SEPARATOR)
  const uid = headers['impersonate-uid'] || undefined
  if (name !== '') return { name, uid, groups, extra }
  if (uid === undefined && groups.length === 0 && Object.keys(extra).length === 0) return undefined
  throw new AccessDenied(
    failure.badRequest(`requested ${goText(uid, groups, extra)} without impersonating a user name`),
  )
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}

function goText(uid: string | undefined, groups: string[], extra: Record<string, string[]>): string {
  const texts = (list: readonly string[]): string => `[]string{${list.map(quote).join(', ')}}`
  const keys = Object.keys(extra).sort()
  const pairs = keys.map((key) => `${quote(key)}:${texts(extra[key] ?? [])}`)
  const groupText = groups.length === 0 ? '[]string(nil)' : texts(groups)
  const extraText = keys.length === 0 ? '(nil)' : `{${pairs.join(', ')}}`
  return `&user.DefaultInfo{Name:"", UID:${quote(uid ?? '')}, Groups:${groupText}, Extra:map[string][]string${extraText}}`
}

/** The checks of one mode for one sender. */
interface Questions {
  readonly constrained: boolean
  /** The right to act as something. */
  readonly right: (plural: string, name: string, more?: Partial<Attributes>) => Attributes
  /** Fails with `Forbidden` where the sender does not have a right. */
  readonly check: (right: Attributes) => Asking<void>
  readonly refuse: (right: Attributes, why: string) => never
}

/** The impersonated user, with the groups that belong to the name. Fails with `Forbidden`. */
function* actAs(
  authorizer: Authorizer,
  mode: Mode,
  requestor: User,
  wanted: User,
  attributes: Attributes,
): Asking<User> {
  const constrained = mode.name !== undefined
  const verb = constrained ? `impersonate:${mode.name}` : 'impersonate'
  const questions: Questions = {
    constrained,
    right(plural, name, more) {
      const own = constrained || plural === 'uids' || plural === 'userextras'
      const resource = { ...(own ? AUTHENTICATION : CORE), plural }
      return { verb, path: '', resource, name, ...more }
    },
    *check(right) {
      const { allowed, reason, error } = yield authorizer(requestor, right)
      if (allowed) return
      const why = error === undefined ? [reason] : reason === '' ? [error] : [error, reason]
      throw forbidden(requestor, right, why.join(': '))
    },
    refuse(right, why) {
      throw forbidden(requestor, right, why)
    },
  }
  if (constrained) {
    yield* questions.check({ ...attributes, verb: `impersonate-on:${mode.name}:${attributes.verb}` })
  }
  const groups = yield* checkName(questions, wanted, mode)
  if (wanted.uid) yield* questions.check(questions.right('uids', wanted.uid))
  yield* checkGroups(questions, wanted.groups)
  yield* checkExtra(questions, wanted.extra ?? {})
  return { ...wanted, groups: withLoginGroup(wanted.name, groups) }
}

/** The groups of the impersonated user. */
function* checkName({ right, check }: Questions, wanted: User, mode: Mode): Asking<readonly string[]> {
  const account = serviceAccountOf(wanted.name)
  if (account) {
    yield* check(right('serviceaccounts', account.name, { namespace: account.namespace }))
    return wanted.groups.length > 0 ? wanted.groups : serviceAccountGroups(account.namespace)
  }
  const node = mode.name === undefined ? undefined : nodeOf(wanted.name)
  if (node !== undefined) {
    // The sender's token has already been checked to name this node.
    yield* check(right('nodes', mode.name === 'associated-node' ? '*' : node))
    return ['system:nodes']
  }
  yield* check(right('users', wanted.name))
  return wanted.groups
}

function* checkGroups(
  { constrained, right, check, refuse }: Questions,
  groups: readonly string[],
): Asking<void> {
  if (constrained && groups.includes('')) {
    refuse(right('groups', ''), 'impersonating the empty string group is not allowed')
  }
  if (constrained && groups.includes(MASTERS)) {
    refuse(right('groups', MASTERS), 'impersonating the system:masters group is not allowed')
  }
  if (constrained && groups.length >= MANY && (yield* passes(check(right('groups', '*'))))) return
  for (const group of groups) yield* check(right('groups', group))
}

function* checkExtra(questions: Questions, extra: NonNullable<User['extra']>): Asking<void> {
  const { constrained, right, check } = questions
  const entries = Object.entries(extra)
  const count = entries.reduce((sum, [, values]) => sum + values.length, 0)
  if (constrained) for (const [key, values] of entries) checkExtraForm(questions, key, values)
  const all = right('userextras', '*', { subresource: '*' })
  if (constrained && (count >= MANY || entries.length >= MANY) && (yield* passes(check(all)))) return
  for (const [key, values] of entries) {
    for (const value of values) yield* check(right('userextras', value, { subresource: key }))
  }
}

function checkExtraForm({ right, refuse }: Questions, key: string, values: readonly string[]): void {
  const asked = right('userextras', '')
  if (key === '') refuse(asked, 'impersonating the empty string key in extra is not allowed')
  const slash = key.indexOf('/')
  if (slash <= 0 || slash === key.length - 1 || subdomainProblems(key.slice(0, slash)).length > 0) {
    const problem = `extra.key: Invalid value: ${quote(key)}: must be a domain-prefixed path (such as "acme.io/foo")`
    refuse(asked, `impersonating an invalid key in extra is not allowed: ${problem}`)
  }
  if (values.includes('')) refuse(asked, 'impersonating the empty string value in extra is not allowed')
}

function* passes(check: Asking<void>): Asking<boolean> {
  try {
    yield* check
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

/** Adds the group of authenticated users, or that of anonymous ones. */
function withLoginGroup(name: string, groups: readonly string[]): readonly string[] {
  const group = name === ANONYMOUS.name ? UNAUTHENTICATED : AUTHENTICATED
  return groups.includes(group) || groups.includes(UNAUTHENTICATED) ? groups : [...groups, group]
}

function onlyNamed({ uid, groups, extra }: User): boolean {
  return !uid && groups.length === 0 && Object.keys(extra ?? {}).length === 0
}

/** The node whose kubelet the user is; undefined for all other users. */
function nodeOf(user: string): string | undefined {
  if (!user.startsWith(NODE)) return undefined
  const name = user.slice(NODE.length)
  return subdomainProblems(name).length === 0 ? name : undefined
}
