import { type Registry, storedObject } from '../registry/index.ts'
import type { Stored } from '../storage/index.ts'
import { objectOf } from '../schema/index.ts'
import { bindingOf, policyOf, type Policy, type PolicyBinding } from './policy.ts'

const GROUP = 'admissionregistration.k8s.io'

/** The kinds of policies, by the plurals of the policies and of their bindings. */
export type PolicyKind =
  | readonly ['validatingadmissionpolicies', 'validatingadmissionpolicybindings']
  | readonly ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings']

/** A policy that is in effect, with its bindings. */
export interface BoundPolicy {
  readonly policy: Policy
  readonly bindings: readonly PolicyBinding[]
}

/**
 * The policies of one kind that have a binding, with their bindings, both sorted by name. An unchanged policy is the
 * same value as before, so that data derived from it can be cached.
 */
export class ConfiguredPolicies {
  readonly #registry: Registry
  readonly #kind: PolicyKind
  readonly #read = new WeakMap<Stored, Policy>()
  #bound: readonly BoundPolicy[] | undefined

  constructor(registry: Registry, kind: PolicyKind) {
    this.#registry = registry
    this.#kind = kind
    const plurals: readonly string[] = kind
    registry.observe(({ resource }) => {
      if (resource.group === GROUP && plurals.includes(resource.plural)) this.#bound = undefined
    })
  }

  all(): readonly BoundPolicy[] {
    return (this.#bound ??= this.#bind())
  }

  #bind(): readonly BoundPolicy[] {
    const [policies, bindings] = this.#kind
    const byPolicy = Map.groupBy(
      this.#stored(bindings).map((stored) => bindingOf(storedObject(stored))),
      ({ policyName }) => policyName,
    )
    return this.#stored(policies).flatMap((stored) => {
      const policy = this.#policy(stored)
      const bound = byPolicy.get(policy.name)
      return bound ? [{ policy, bindings: bound }] : []
    })
  }

  #stored(plural: string): Stored[] {
    return this.#registry.store
      .snapshot({ collection: `${GROUP}/${plural}` })
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }

  #policy(stored: Stored): Policy {
    let policy = this.#read.get(stored)
    if (!policy) {
      const object = storedObject(stored)
      policy = policyOf(object.metadata.name ?? '', objectOf(object['spec']))
      this.#read.set(stored, policy)
    }
    return policy
  }
}
