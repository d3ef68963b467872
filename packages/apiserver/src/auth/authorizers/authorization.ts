import { ALLOWED, type Authorizer } from '../access/authorize.ts'
import type { User } from '../access/user.ts'
import type { PolicyRule } from '../rbac/policy-rule.ts'
import type { NamespaceRules } from '../rbac/rbac.ts'

/** Decides what users may do, and lists it. */
export interface Authorization {
  readonly authorize: Authorizer
  rulesFor(user: User, namespace: string | undefined): NamespaceRules
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
]

/** Allows everything: the authorization mode AlwaysAllow. */
export const alwaysAllow: Authorization = {
  authorize: () => ALLOWED,
  rulesFor: () => ({ rules: EVERYTHING, problem: '', isIncomplete: false }),
}

/**
 * Has no opinion on any request, so that a request is refused unless another authorizer allows it: the mode
 * AlwaysDeny.
 */
export const alwaysDeny: Authorization = {
  authorize: () => ({ allowed: false, reason: 'Everything is forbidden.' }),
  rulesFor: () => ({ rules: [], problem: '', isIncomplete: false }),
}
