import { failure } from '@homeostat/api'
import { storedObject, Failure, type Registry } from '../../registry/index.ts'
import { listOf, objectOf, quote, textOf } from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'
import { ALLOWED, type Attributes, type Decision } from '../access/authorize.ts'
import { serviceAccountUser } from '../access/service-account-name.ts'
import { MASTERS, type User } from '../access/user.ts'
import { ruleAllows, rulesIn, type PolicyRule } from './policy-rule.ts'

/** The group of roles and bindings. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io'

/** A parsed binding. */
export interface RoleRef {
  readonly kind: string
  readonly name: string
}

interface Binding {
  readonly order: number
  readonly name: string
  readonly roleRef: RoleRef
  /** The subjects by position, as the API's messages name them. */
  readonly subjects: readonly string[]
}

/** The position of a subject in a binding. */
interface Place {
  readonly binding: Binding
  readonly subject: number
}

/** The bindings of one namespace, or of the cluster, by the user or group that they name. */
type Bindings = ReadonlyMap<string, readonly Place[]>

/** Rules that a binding grants to a user, or why it grants none. */
interface Grant {
  readonly rules: readonly PolicyRule[]
  /** Their source, as the API's messages name it. */
  readonly source?: () => string
  readonly problem?: string
}

/** The known rights of a user in a namespace. */
export interface NamespaceRules {
  readonly rules: readonly PolicyRule[]
  /** Why rules could not be found; empty where there is no problem. */
  readonly problem: string
  /** Whether the user may have further rights that cannot be listed. */
  readonly isIncomplete: boolean
}

/**
 * Role-based access control by the roles and bindings in the store. A write takes effect with the next request.
 * Members of `system:masters` may do everything.
 */
export class Rbac {
  readonly #registry: Registry
  /** By namespace; the empty one stands for the cluster. Computed on first use, dropped when bindings change. */
  readonly #bindings = new Map<string, Bindings>()
  readonly #rules = new WeakMap<Stored, readonly PolicyRule[]>()

  constructor(registry: Registry) {
    this.#registry = registry
    registry.observe(({ resource, key }) => {
      if (resource.group !== RBAC_GROUP) return
      if (resource.plural === 'rolebindings') this.#bindings.delete(key.slice(0, key.indexOf('/')))
      else if (resource.plural === 'clusterrolebindings') this.#bindings.delete('')
    })
  }

  readonly authorize = (user: User, attributes: Attributes): Decision => {
    if (user.groups.includes(MASTERS)) return ALLOWED
    const problems: string[] = []
    for (const { rules, source, problem } of this.#grants(user, attributes.namespace)) {
      if (rules.some((rule) => ruleAllows(rule, attributes))) {
        // The reason is computed on demand, since it is rarely needed.
        return {
          allowed: true,
          get reason() {
            return `RBAC: allowed by ${source?.()}`
          },
        }
      }
      if (problem !== undefined) problems.push(problem)
    }
    return { allowed: false, reason: problems.length > 0 ? `RBAC: ${joinProblems(problems)}` : '' }
  }

  /**
   * All rules that apply to a user in a namespace, or without a namespace in the whole cluster, and the roles that
   * could not be found.
   */
  rulesFor(user: User, namespace: string | undefined): NamespaceRules {
    const grants = [...this.#grants(user, namespace)]
    const problems = grants.flatMap(({ problem }) => problem ?? [])
    const rules = grants.flatMap((grant) => grant.rules)
    return { rules, problem: joinProblems(problems), isIncomplete: false }
  }

  /** The rules of the role that a binding in the namespace refers to. Fails with `NotFound`. */
  roleRules({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] {
    const local = kind === 'Role'
    const collection = `${RBAC_GROUP}/${local ? 'roles' : 'clusterroles'}`
    const stored = this.#registry.store.get(collection, local ? `${namespace}/${name}` : name)
    if (!stored) {
      const plural = local ? 'role' : 'clusterrole'
      throw new Failure(failure.notFound({ group: RBAC_GROUP, plural }, name))
    }
    let rules = this.#rules.get(stored)
    if (!rules) this.#rules.set(stored, (rules = rulesIn(stored.value)))
    return rules
  }

  *#grants(user: User, namespace: string | undefined): Generator<Grant> {
    for (const [scope, kind] of [['', 'ClusterRoleBinding'] as const, [namespace, 'RoleBinding'] as const]) {
      if (scope === undefined || (scope === '' && kind === 'RoleBinding')) continue
      for (const { binding, subject } of this.#bindingsOf(user, scope)) {
        const { roleRef } = binding
        try {
          const source = (): string => {
            const name = scope === '' ? binding.name : `${binding.name}/${scope}`
            const role = `${roleRef.kind} ${quote(roleRef.name)}`
            return `${kind} ${quote(name)} of ${role} to ${binding.subjects[subject]}`
          }
          yield { rules: this.roleRules(roleRef, scope), source }
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          yield { rules: [], problem: error.message }
        }
      }
    }
  }

  /** The bindings that name the user or one of their groups, each with the first subject that does. */
  #bindingsOf(user: User, namespace: string): Place[] {
    const all = this.#bindingsIn(namespace)
    const found = new Map<Binding, Place>()
    for (const key of [`User ${user.name}`, ...user.groups.map((group) => `Group ${group}`)]) {
      for (const place of all.get(key) ?? []) {
        const known = found.get(place.binding)
        if (!known || place.subject < known.subject) found.set(place.binding, place)
      }
    }
    return [...found.values()].sort((a, b) => a.binding.order - b.binding.order)
  }

  #bindingsIn(namespace: string): Bindings {
    const known = this.#bindings.get(namespace)
    if (known) return known
    const bindings = this.#readBindings(namespace)
    // Any client can ask about namespaces that do not exist: those are not cached.
    if (bindings.size > 0) this.#bindings.set(namespace, bindings)
    return bindings
  }

  #readBindings(namespace: string): Bindings {
    const bindings = new Map<string, Place[]>()
    const collection = `${RBAC_GROUP}/${namespace === '' ? 'clusterrolebindings' : 'rolebindings'}`
    const range = namespace === '' ? { collection } : { collection, prefix: `${namespace}/` }
    for (const [order, entry] of this.#registry.store.snapshot(range).entries()) {
      const { value } = entry
      const subjects = listOf(value['subjects']).map((subject) => subjectOf(subject, namespace))
      const { name = '' } = storedObject(entry).metadata
      const roleRef = objectOf(value['roleRef'])
      const binding: Binding = {
        order,
        name,
        roleRef: { kind: textOf(roleRef['kind']), name: textOf(roleRef['name']) },
        subjects: subjects.map(({ text }) => text),
      }
      for (const [subject, { key }] of subjects.entries()) {
        const places = bindings.get(key)
        if (places) places.push({ binding, subject })
        else bindings.set(key, [{ binding, subject }])
      }
    }
    return bindings
  }
}

/** The user or group of a subject as a key, and its name in the API's messages. */
function subjectOf(value: unknown, bindingNamespace: string): { key: string; text: string } {
  const { kind, name, namespace } = objectOf(value)
  const called = textOf(name)
  if (kind !== 'ServiceAccount') {
    return { key: `${textOf(kind)} ${called}`, text: `${textOf(kind)} ${quote(called)}` }
  }
  const place = textOf(namespace) || bindingNamespace
  const key = place === '' ? '' : `User ${serviceAccountUser(place, called)}`
  return { key, text: `ServiceAccount ${quote(`${called}/${place}`)}` }
}

/** Joins problems as Go does: without duplicates, several in brackets. */
function joinProblems(problems: readonly string[]): string {
  const all = [...new Set(problems)]
  return all.length > 1 ? `[${all.join(', ')}]` : (all[0] ?? '')
}
