import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { quote } from '../../schema/index.ts'
import { has, urlCovers, type PolicyRule } from './policy-rule.ts'

/**
 * The largest number of single rights into which the rules of one role are split, to compare them with a user's
 * rights.
 */
const MOST_RIGHTS = 100_000

/** The single rights of the wanted rules that the owned rules do not cover. */
export function missingRights(
  owned: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): readonly PolicyRule[] {
  const missing: PolicyRule[] = []
  let count = 0
  for (const rule of wanted) {
    for (const right of rightsIn(rule)) {
      if (++count > MOST_RIGHTS) {
        const why = `the role grants more than ${MOST_RIGHTS} single rights: split it into several roles`
        throw new Failure(failure.forbidden(undefined, '', why))
      }
      if (!owned.some((one) => covers(one, right))) missing.push(right)
    }
  }
  return missing
}

/** Each combination of a group, a resource, a name and a verb, or of a URL and a verb. */
function* rightsIn(rule: PolicyRule): Generator<PolicyRule> {
  const nothing = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] }
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        const right = { ...nothing, verbs: [verb], apiGroups: [group], resources: [resource] }
        if (rule.resourceNames.length === 0) yield right
        else for (const name of rule.resourceNames) yield { ...right, resourceNames: [name] }
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs) yield { ...nothing, verbs: [verb], nonResourceURLs: [url] }
  }
}

function covers(owned: PolicyRule, right: PolicyRule): boolean {
  return (
    right.verbs.every((verb) => has(owned.verbs, verb)) &&
    right.apiGroups.every((group) => has(owned.apiGroups, group)) &&
    right.resources.every((resource) => coversResource(owned.resources, resource)) &&
    coversNames(owned.resourceNames, right.resourceNames) &&
    right.nonResourceURLs.every((url) => owned.nonResourceURLs.some((one) => urlCovers(one, url)))
  )
}

function coversResource(owned: readonly string[], resource: string): boolean {
  if (has(owned, resource)) return true
  const slash = resource.indexOf('/')
  return slash >= 0 && owned.includes(`*${resource.slice(slash)}`)
}

function coversNames(owned: readonly string[], names: readonly string[]): boolean {
  if (owned.length === 0) return true
  return names.length > 0 && names.every((name) => owned.includes(name))
}

/** Rights as the API's messages show them. Rights that differ only in the verb share a line. */
export function describeRights(rights: readonly PolicyRule[]): string {
  const joined = new Map<string, PolicyRule>()
  for (const right of rights) {
    const url = right.nonResourceURLs.length > 0
    const key = url ? describe(right) : describe({ ...right, verbs: [] })
    const known = url ? undefined : joined.get(key)
    joined.set(key, known ? { ...known, verbs: [...known.verbs, ...right.verbs] } : right)
  }
  return [...new Set([...joined.values()].map(describe))].sort().join('\n')
}

function describe(rule: PolicyRule): string {
  const parts = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ] as const
  const present = parts.filter(([, values]) => values.length > 0)
  return `{${present.map(([name, values]) => `${name}:${quoteAll(values)}`).join(', ')}}`
}

/** `["a" "b"]`. */
export function quoteAll(texts: readonly string[]): string {
  return `[${texts.map(quote).join(' ')}]`
}
