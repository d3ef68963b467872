import type { AdmissionRequest } from '../admission/index.ts'
import { type JsonObject, listOf, textOf } from '../schema/index.ts'

/** The resource of a request, in one of the versions and groups that serve it. */
export type RequestedResource = AdmissionRequest['resource']

/** A rule that matches requests for a webhook or a policy. `*` matches all. */
export interface MatchRule {
  readonly operations: readonly string[]
  readonly apiGroups: readonly string[]
  readonly apiVersions: readonly string[]
  /** Such as `pods`, `pods/status`, or `pods/*` for the object and all of its subresources. */
  readonly resources: readonly string[]
  readonly scope: string
  /** The names of the objects. Empty for all. */
  readonly resourceNames: readonly string[]
}

/** Reads a rule of a webhook or of a policy. */
export function matchRuleOf(rule: JsonObject): MatchRule {
  return {
    operations: texts(rule['operations']),
    apiGroups: texts(rule['apiGroups']),
    apiVersions: texts(rule['apiVersions']),
    resources: texts(rule['resources']),
    scope: textOf(rule['scope'] ?? '*'),
    resourceNames: texts(rule['resourceNames']),
  }
}

function texts(value: unknown): string[] {
  return listOf(value).map((each) => textOf(each))
}

/** Whether a rule covers a request to a resource. */
export function covers(
  rule: MatchRule,
  { operation, subresource, namespace, name }: AdmissionRequest,
  resource: RequestedResource,
): boolean {
  return (
    inScope(rule, resource, namespace) &&
    matches(rule.operations, operation) &&
    matches(rule.apiGroups, resource.group) &&
    matches(rule.apiVersions, resource.version) &&
    rule.resources.some((text) => isResource(text, resource.plural, subresource ?? '')) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(name))
  )
}

function matches(allowed: readonly string[], value: string): boolean {
  return allowed.includes('*') || allowed.includes(value)
}

/** Namespaces are cluster-scoped, although requests for them name a namespace. */
function inScope({ scope }: MatchRule, resource: RequestedResource, namespace: string | undefined): boolean {
  if (scope === '*') return true
  const isNamespaced = (namespace ?? '') !== '' && !isNamespaces(resource)
  return scope === (isNamespaced ? 'Namespaced' : 'Cluster')
}

export function isNamespaces({ group, plural }: RequestedResource): boolean {
  return group === '' && plural === 'namespaces'
}

/** `pods` matches only the object, `pods/*` the object and all of its subresources. */
function isResource(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf('/')
  const [wanted, part] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)]
  return (wanted === '*' || wanted === plural) && (part === '*' || part === subresource)
}
