import { listOf, objectOf } from '../../schema/index.ts'
import type { Attributes } from '../access/authorize.ts'

/** One rule of a role: what it allows, either on resources or on other paths. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  /** The names of the objects; all objects when it is empty. */
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

const ALL = '*'

/** The rules of a role as it is stored. */
export function rulesIn(role: object): PolicyRule[] {
  return listOf(objectOf(role)['rules']).map((rule) => ({
    verbs: textsIn(rule, 'verbs'),
    apiGroups: textsIn(rule, 'apiGroups'),
    resources: textsIn(rule, 'resources'),
    resourceNames: textsIn(rule, 'resourceNames'),
    nonResourceURLs: textsIn(rule, 'nonResourceURLs'),
  }))
}

function textsIn(rule: unknown, field: string): string[] {
  return listOf(objectOf(rule)[field]).filter((one) => typeof one === 'string')
}

/** Whether a rule allows what a request wants to do. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false
  const { resource, subresource = '', name = '' } = attributes
  if (!resource) return rule.nonResourceURLs.some((url) => urlCovers(url, attributes.path))
  return (
    has(rule.apiGroups, resource.group) &&
    resourceMatches(rule.resources, resource.plural, subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  )
}

function resourceMatches(resources: readonly string[], plural: string, subresource: string): boolean {
  const wanted = subresource ? `${plural}/${subresource}` : plural
  return resources.some(
    (one) => one === ALL || one === wanted || (subresource !== '' && one === `${ALL}/${subresource}`),
  )
}

/** Whether a list contains a value or `*`. */
export function has(list: readonly string[], value: string): boolean {
  return list.includes(ALL) || list.includes(value)
}

/** Whether a URL of a rule, which may end with `*`, matches a path. */
export function urlCovers(url: string, other: string): boolean {
  return url === other || (url.endsWith(ALL) && other.startsWith(url.replace(/\*+$/, '')))
}
