import type { Attributes, User } from '../auth/index.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../schema/index.ts'

const ALL = '*'
const SERVICE_ACCOUNT = 'system:serviceaccount:'

type Matches<T> = (value: T) => boolean

/** One rule of a FlowSchema. */
export interface FlowRule {
  readonly subject: Matches<User>
  readonly resource: Matches<Attributes>
  readonly path: Matches<Attributes>
}

/** Reads the rules of a FlowSchema, so that matching a request only compares. */
export function flowRules(spec: JsonObject): readonly FlowRule[] {
  return listOf(spec['rules'])
    .map(objectOf)
    .map((rule) => ({
      subject: any(listOf(rule['subjects']).map((one) => subjectMatches(objectOf(one)))),
      resource: any(listOf(rule['resourceRules']).map((one) => resourceMatches(objectOf(one)))),
      path: any(listOf(rule['nonResourceRules']).map((one) => pathMatches(objectOf(one)))),
    }))
}

/** The rules whose subjects include a user. */
export function rulesFor(user: User, rules: readonly FlowRule[]): readonly FlowRule[] {
  return rules.filter(({ subject }) => subject(user))
}

export function matchesRequest(rules: readonly FlowRule[], attributes: Attributes): boolean {
  return rules.some((rule) => (attributes.resource ? rule.resource : rule.path)(attributes))
}

function any<T>(tests: readonly Matches<T>[]): Matches<T> {
  const [only] = tests
  return only !== undefined && tests.length === 1 ? only : (value) => tests.some((test) => test(value))
}

function subjectMatches(subject: JsonObject): Matches<User> {
  const { name, namespace } = objectOf(subject['user'] ?? subject['group'] ?? subject['serviceAccount'])
  switch (subject['kind']) {
    case 'User':
      return (user) => name === ALL || user.name === name
    case 'Group':
      return (user) => name === ALL || user.groups.includes(textOf(name))
    case 'ServiceAccount': {
      const start = `${SERVICE_ACCOUNT}${textOf(namespace)}:`
      return name === ALL
        ? (user) => user.name.startsWith(start)
        : (user) => user.name === `${start}${textOf(name)}`
    }
    default:
      return () => false
  }
}

function resourceMatches(rule: JsonObject): Matches<Attributes> {
  const [verbs, groups, resources] = [
    oneOf(rule['verbs']),
    oneOf(rule['apiGroups']),
    oneOf(rule['resources']),
  ]
  const namespaces = oneOf(rule['namespaces'])
  const clusterScope = rule['clusterScope'] === true
  return ({ verb, resource, subresource, namespace }) =>
    resource !== undefined &&
    verbs(verb) &&
    resources(subresource ? `${resource.plural}/${subresource}` : resource.plural) &&
    groups(resource.group) &&
    (namespace ? namespaces(namespace) : clusterScope)
}

function pathMatches(rule: JsonObject): Matches<Attributes> {
  const verbs = oneOf(rule['verbs'])
  const urls = listOf(rule['nonResourceURLs']).map(textOf)
  const starts = urls.map((url) => {
    const start = url.endsWith(ALL) ? url.slice(0, -1) : url
    return start.endsWith('/') ? start : `${start}/`
  })
  return ({ verb, path }) =>
    verbs(verb) &&
    urls.some((url, index) => url === ALL || url === path || path.startsWith(starts[index] ?? url))
}

/** Whether a list holds a value. A list of `*` alone holds all. */
function oneOf(list: unknown): Matches<string> {
  const values = listOf(list).map(textOf)
  if (values.length === 1 && values[0] === ALL) return () => true
  return (value) => values.includes(value)
}
