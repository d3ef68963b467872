import { HomeostatError } from '@homeostat/api'
import type { Attributes, User } from '../auth/index.ts'
import { isObject, listOf, objectOf, textOf } from '../schema/index.ts'

/** How much of a request is logged, from nothing to both bodies. */
export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type AuditLevel = (typeof AUDIT_LEVELS)[number]

const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const
export type AuditStage = (typeof STAGES)[number]

/** The part of one request that is logged. */
export interface AuditConfig {
  readonly level: AuditLevel
  readonly omitStages: ReadonlySet<string>
  readonly omitManagedFields: boolean
}

interface Rule extends AuditConfig {
  readonly users: readonly string[]
  readonly userGroups: readonly string[]
  readonly verbs: readonly string[]
  readonly namespaces: readonly string[]
  readonly resources: readonly GroupResources[]
  readonly paths: readonly string[]
}

interface GroupResources {
  readonly group: string
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
}

const API_VERSION = 'audit.k8s.io/v1'

/** The rules that say how much of each request is logged. The first rule that matches decides. */
export class AuditPolicy {
  readonly #rules: readonly Rule[]
  readonly #otherwise: AuditConfig

  private constructor(rules: readonly Rule[], otherwise: AuditConfig) {
    this.#rules = rules
    this.#otherwise = otherwise
  }

  /** Reads a Policy of `audit.k8s.io/v1`. Fails with `AUDIT_POLICY_INVALID` and the name of the invalid field. */
  static read(value: unknown): AuditPolicy {
    const policy = objectOf(value)
    if (policy['apiVersion'] !== API_VERSION || policy['kind'] !== 'Policy') {
      throw invalid(`it is not a Policy of ${API_VERSION}: check kind and apiVersion`)
    }
    const rules = listOf(policy['rules']).map(objectOf)
    if (rules.length === 0) throw invalid('it has no rules: give at least one rule with a level')
    const omitStages = stagesOf(policy['omitStages'], 'omitStages')
    const omitManagedFields = policy['omitManagedFields'] === true
    return new AuditPolicy(
      rules.map((rule, index) => readRule(rule, `rules[${index}]`, omitStages, omitManagedFields)),
      { level: 'None', omitStages: new Set(omitStages), omitManagedFields },
    )
  }

  configOf(user: User | undefined, attributes: Attributes): AuditConfig {
    return this.#rules.find((rule) => matches(rule, user, attributes)) ?? this.#otherwise
  }
}

function readRule(
  rule: Readonly<Record<string, unknown>>,
  at: string,
  omitStages: readonly string[],
  omitManagedFields: boolean,
): Rule {
  const texts = (name: string): readonly string[] => listOf(rule[name]).map((one) => textOf(one))
  const level = AUDIT_LEVELS.find((one) => one === rule['level'])
  if (!level) {
    throw invalid(
      `${at}.level: ${JSON.stringify(rule['level'] ?? '')} must be one of ${AUDIT_LEVELS.join(', ')}`,
    )
  }
  const resources = listOf(rule['resources']).map((one) => {
    const { group, resources: names, resourceNames } = objectOf(one)
    return {
      group: textOf(group ?? ''),
      resources: listOf(names).map((name) => textOf(name)),
      resourceNames: listOf(resourceNames).map((name) => textOf(name)),
    }
  })
  const [paths, namespaces] = [texts('nonResourceURLs'), texts('namespaces')]
  if (paths.length > 0 && (resources.length > 0 || namespaces.length > 0)) {
    throw invalid(`${at}.nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs`)
  }
  for (const [index, path] of paths.entries()) {
    const star = path.indexOf('*')
    if (path === '*' || (path.startsWith('/') && (star < 0 || star === path.length - 1))) continue
    throw invalid(
      `${at}.nonResourceURLs[${index}]: ${JSON.stringify(path)} must begin with / and have * only at its end`,
    )
  }
  for (const [index, { resources: names, resourceNames }] of resources.entries()) {
    if (resourceNames.length > 0 && names.length === 0) {
      throw invalid(
        `${at}.resources[${index}].resourceNames: using resourceNames requires at least one resource`,
      )
    }
  }
  const own = rule['omitManagedFields']
  return {
    level,
    omitStages: new Set([...omitStages, ...stagesOf(rule['omitStages'], `${at}.omitStages`)]),
    omitManagedFields: typeof own === 'boolean' ? own : omitManagedFields,
    users: texts('users'),
    userGroups: texts('userGroups'),
    verbs: texts('verbs'),
    namespaces,
    resources,
    paths,
  }
}

function stagesOf(value: unknown, at: string): readonly string[] {
  return listOf(value).map((one, index) => {
    const stage = STAGES.find((known) => known === one)
    if (stage) return stage
    throw invalid(`${at}[${index}]: ${JSON.stringify(one)} must be one of ${STAGES.join(', ')}`)
  })
}

function invalid(problem: string): HomeostatError {
  return new HomeostatError('AUDIT_POLICY_INVALID', `the audit policy cannot be used: ${problem}`)
}

function matches(rule: Rule, user: User | undefined, attributes: Attributes): boolean {
  const { users, userGroups, verbs, namespaces, resources, paths } = rule
  if (users.length > 0 && !(user && users.includes(user.name))) return false
  if (userGroups.length > 0 && !user?.groups.some((group) => userGroups.includes(group))) return false
  if (verbs.length > 0 && !verbs.includes(attributes.verb)) return false
  if (namespaces.length > 0 || resources.length > 0) return matchesResource(rule, attributes)
  if (paths.length === 0) return true
  return !attributes.resource && paths.some((path) => matchesPath(path, attributes.path))
}

function matchesPath(spec: string, path: string): boolean {
  return spec === '*' || spec === path || (spec.endsWith('*') && path.startsWith(spec.slice(0, -1)))
}

function matchesResource({ namespaces, resources }: Rule, attributes: Attributes): boolean {
  const { resource, subresource = '', namespace = '', name = '' } = attributes
  if (!resource) return false
  if (namespaces.length > 0 && !namespaces.includes(namespace)) return false
  if (resources.length === 0) return true
  const combined = subresource === '' ? resource.plural : `${resource.plural}/${subresource}`
  return resources.some(({ group, resources: names, resourceNames }) => {
    if (group !== '*' && group !== resource.group) return false
    if (names.length === 0) return true
    if (resourceNames.length > 0 && !resourceNames.includes(name)) return false
    return names.some(
      (one) =>
        one === '*' ||
        one === combined ||
        (subresource !== '' && one === `*/${subresource}`) ||
        one === `${resource.plural}/*`,
    )
  })
}

/** Whether a level includes another: `Request` includes `Metadata`. */
export function includesLevel(level: AuditLevel, other: AuditLevel): boolean {
  return AUDIT_LEVELS.indexOf(level) >= AUDIT_LEVELS.indexOf(other)
}

/** Drops the managed fields of an object, or of the objects of a list. */
export function withoutManagedFields(value: unknown): unknown {
  if (!isObject(value)) return value
  const { metadata, items } = value
  return {
    ...value,
    ...(isObject(metadata) ? { metadata: { ...metadata, managedFields: undefined } } : {}),
    ...(Array.isArray(items) ? { items: items.map(withoutManagedFields) } : {}),
  }
}
