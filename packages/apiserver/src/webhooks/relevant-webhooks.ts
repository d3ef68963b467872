import { apiVersionOf, failure, matchesLabels, type LabelSelector } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import {
  convertedTo,
  Failure,
  type Registry,
  type Resource,
  storedObject,
  type ServerObject,
} from '../registry/index.ts'
import { copyJson, isObject } from '../schema/index.ts'
import { hasRule, isNamespaces, type RequestedResource } from './matching-rule.ts'
import type { MatchConditions } from './match-conditions.ts'
import type { Invocation } from './review.ts'
import type { Webhook } from './webhook.ts'

const NAMESPACES = { group: '', plural: 'namespaces' } as const

/** Decides which webhooks are called for a request, and in which version they see its object. */
export class RelevantWebhooks {
  readonly #registry: Registry
  readonly #conditions: MatchConditions

  constructor(registry: Registry, conditions: MatchConditions) {
    this.#registry = registry
    this.#conditions = conditions
  }

  /** How a webhook is called; undefined where it is not. A promise only where its version must be converted to. Fails with `Failure` where that cannot be found out. */
  invocation(
    webhook: Webhook,
    request: AdmissionRequest,
  ): Invocation | undefined | Promise<Invocation | undefined> {
    const labels = this.#namespaceLabels(webhook.namespaceSelector, request)
    if (labels !== 'any' && labels !== 'unknown' && !matchesLabels(webhook.namespaceSelector, labels)) {
      return undefined
    }
    if (!selectsObject(webhook.objectSelector, request)) return undefined
    const resource = this.#matchingResource(webhook, request)
    if (!resource) return undefined
    if (labels === 'unknown') {
      throw new Failure(failure.notFound(NAMESPACES, request.namespace ?? ''))
    }
    const invocation = this.#inVersion(webhook, request, resource)
    const matching = (one: Invocation): Invocation | undefined =>
      this.#conditions.match(one, request) ? one : undefined
    return invocation instanceof Promise ? invocation.then(matching) : matching(invocation)
  }

  /** The labels that a namespace selector looks at: of the namespace that is written, or of the one that it is written in. */
  #namespaceLabels(
    { requirements }: LabelSelector,
    { resource, subresource, object, operation, name, namespace = '' }: AdmissionRequest,
  ): Readonly<Record<string, string>> | 'any' | 'unknown' {
    if (requirements.length === 0 || (namespace === '' && !isNamespaces(resource))) return 'any'
    if (isNamespaces(resource) && subresource === undefined && object && operation !== 'DELETE') {
      return object.metadata.labels ?? {}
    }
    const stored = this.#registry.store.get('/namespaces', isNamespaces(resource) ? name : namespace)
    if (!stored) return 'unknown'
    return storedObject(stored).metadata.labels ?? {}
  }

  /** The resource of the request, or else one that serves the same objects, for which the webhook has a rule. */
  #matchingResource(webhook: Webhook, request: AdmissionRequest): RequestedResource | undefined {
    if (hasRule(webhook, request, request.resource)) return request.resource
    if (webhook.matchPolicy !== 'Equivalent') return undefined
    return this.#equivalents(request.resource).find((other) => hasRule(webhook, request, other))
  }

  #equivalents({ group, version, plural }: RequestedResource): readonly Resource[] {
    const groups = plural === 'events' ? EVENT_GROUPS : [group]
    return this.#registry.catalogue
      .all()
      .filter((one) => one.plural === plural && groups.includes(one.group))
      .filter((one) => one.group !== group || one.version !== version)
  }

  #inVersion(
    webhook: Webhook,
    request: AdmissionRequest,
    resource: RequestedResource,
  ): Invocation | Promise<Invocation> {
    const { object, oldObject } = request
    if (resource === request.resource) return { webhook, kind: request.kind, resource, object, oldObject }
    const { group, version, plural } = resource
    if (request.submitted) {
      return { webhook, kind: request.kind, resource: { group, version, plural }, object, oldObject }
    }
    const other = this.#registry.catalogue.find(group, version, plural)
    if (!other) throw new Error(`${plural}.${version}.${group} is no longer served`)
    const named = {
      webhook,
      kind: { group, version, kind: other.kind },
      resource: { group, version, plural },
    }
    if (other.conversionWebhook === undefined) {
      const converted = (one: Readonly<ServerObject> | undefined): ServerObject | undefined =>
        one && convertedTo(copyJson(one), other)
      return { ...named, object: converted(object), oldObject: converted(oldObject) }
    }
    return this.#convert([object, oldObject], other, request).then(([now, before]) => ({
      ...named,
      object: now,
      oldObject: before,
    }))
  }

  /** An object that a webhook has changed in its version, in the version of the request again. */
  async inRequestVersion(changed: ServerObject, request: AdmissionRequest): Promise<ServerObject> {
    const { group, version, plural } = request.resource
    const own = this.#registry.catalogue.find(group, version, plural)
    if (!own || request.submitted || changed.apiVersion === request.object?.apiVersion) return changed
    if (own.conversionWebhook === undefined) return convertedTo(changed, own)
    const [converted = changed] = await this.#convert([changed], own, request)
    return converted
  }

  /** Objects in a version that only a webhook converts to. */
  async #convert(
    objects: readonly (Readonly<ServerObject> | undefined)[],
    resource: Resource,
    { waiting }: AdmissionRequest,
  ): Promise<(ServerObject | undefined)[]> {
    const given = objects.filter((object) => object !== undefined).map((object) => copyJson(object))
    try {
      const place = { resource, waiting }
      const converted = await this.#registry.conversions.between(given, apiVersionOf(resource), place)
      return objects.map((object) => object && converted.shift())
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      throw new Failure(failure.internalError(error.status.message ?? ''))
    }
  }
}

/** Events are served by two groups. */
const EVENT_GROUPS: readonly string[] = ['', 'events.k8s.io']

/** Whether a selector matches the object as it should be, or as it was. The options of a connection have no labels to match. */
function selectsObject(selector: LabelSelector, { object, oldObject }: AdmissionRequest): boolean {
  if (selector.requirements.length === 0) return true
  return [object, oldObject].some(
    (one) => one && isObject(one.metadata) && matchesLabels(selector, one.metadata.labels),
  )
}
