import type { AdmissionRequest } from '../admission/index.ts'
import type { Webhook, WebhookRule } from './webhook.ts'

/** The resource of a request, in one of the versions and groups that serve it. */
export type RequestedResource = AdmissionRequest['resource']

/** Whether a webhook has a rule for a request to a resource. */
export function hasRule(
  webhook: Webhook,
  { operation, subresource, namespace }: AdmissionRequest,
  resource: RequestedResource,
): boolean {
  return webhook.rules.some(
    (rule) =>
      inScope(rule, resource, namespace) &&
      matches(rule.operations, operation) &&
      matches(rule.apiGroups, resource.group) &&
      matches(rule.apiVersions, resource.version) &&
      rule.resources.some((text) => isResource(text, resource.plural, subresource ?? '')),
  )
}

function matches(allowed: readonly string[], value: string): boolean {
  return allowed.includes('*') || allowed.includes(value)
}

/** Namespaces are cluster-scoped, though requests for them name one. */
function inScope(
  { scope }: WebhookRule,
  resource: RequestedResource,
  namespace: string | undefined,
): boolean {
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
