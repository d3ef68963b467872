import type { AdmissionRequest } from '../admission/index.ts'
import { type JsonObject, listOf, textOf } from '../schema/index.ts'

/** The resource of a request, in one of the versions and groups that serve it. */
export type RequestedResource = AdmissionRequest['resource']

/** Which requests a webhook is called for or a policy is evaluated for. `*` stands for all. */
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

/** Namespaces are cluster-scoped, though requests for them name one. */
function inScope({ scope }: MatchRule, resource: RequestedResource, namespace: string | undefined): boolean {
  if (scope === '*') return true
  const isNamespaced = (namespace ?? '') !== '' && !isNamespaces(resource)
  return scope === (isNamespaced ? 'Namespaced' : 'Cluster')
}

export function isNamespaces({ group, plural }: RequestedResource): boolean {
  return group === '' && plural === 'namespaces'
}

/** `pods` means the object alone, `pods/*` all of its subresources and the object as well. */
function isResource(text: string, plural: string, subresource: string): boolean {
  const slash = text.indexOf('/')
  const [wanted, part] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash + 1)]
  return (wanted === '*' || wanted === plural) && (part === '*' || part === subresource)
}
