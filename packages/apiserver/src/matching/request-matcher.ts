import { failure, matchesLabels, type LabelSelector } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import { Failure, type Registry, type Resource, storedObject } from '../registry/index.ts'
import { isObject } from '../schema/index.ts'
import { covers, isNamespaces, type MatchRule, type RequestedResource } from './matching-rule.ts'

const NAMESPACES = { group: '', plural: 'namespaces' } as const
/** Events are served by two groups. */
const EVENT_GROUPS: readonly string[] = ['', 'events.k8s.io']

/** The criteria for the requests of a webhook or a policy. */
export interface MatchCriteria {
  readonly rules: readonly MatchRule[]
  readonly matchPolicy: 'Exact' | 'Equivalent'
  readonly namespaceSelector: LabelSelector
  readonly objectSelector: LabelSelector
}

/** Criteria that may also exclude requests. */
export interface ExcludingCriteria extends MatchCriteria {
  readonly excludeRules: readonly MatchRule[]
  /** Whether criteria without rules match all requests. */
  readonly isOpen: boolean
}

/** The resource for which rules cover a request: its own, one that serves the same objects, or none. */
type RuleResult = 'own' | 'other' | Resource
type RuleResults = WeakMap<readonly MatchRule[], RuleResult>

/** Decides whether a request meets criteria, and by which resource. */
export class RequestMatcher {
  readonly #registry: Registry
  /** The results of rules. Requests that rules cannot distinguish share one result. */
  readonly #results = new Map<string, RuleResults>()
  /** The revision of the catalogue from which the results are. */
  #revision = 0
  #last: { readonly request: AdmissionRequest; readonly results: RuleResults } | undefined

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /**
   * A key for what a caller derives from criteria. Requests that rules cannot distinguish have the same key, until the
   * served resources change.
   */
  kindOf(request: AdmissionRequest): object {
    return this.#resultsFor(request)
  }

  /** Whether a request that rules cannot distinguish from this one may meet the criteria. */
  mayMeet(criteria: ExcludingCriteria, request: AdmissionRequest): boolean {
    const named = [...criteria.rules, ...criteria.excludeRules].some(
      ({ resourceNames }) => resourceNames.length > 0,
    )
    return named || this.#matchingResource(criteria, request) !== undefined
  }

  /**
   * The resource of the request, or one that serves the same objects, for which the criteria have a rule; undefined where the
   * request does not meet the criteria. Fails with `Failure` where the labels of the namespace are unknown.
   */
  resource(
    criteria: MatchCriteria | ExcludingCriteria,
    request: AdmissionRequest,
  ): RequestedResource | undefined {
    const { namespaceSelector, objectSelector } = criteria
    if (namespaceSelector.requirements.length === 0 && objectSelector.requirements.length === 0) {
      return this.#matchingResource(criteria, request)
    }
    const labels = this.#namespaceLabels(namespaceSelector, request)
    if (labels !== 'any' && labels !== 'unknown' && !matchesLabels(namespaceSelector, labels)) {
      return undefined
    }
    if (!selectsObject(objectSelector, request)) return undefined
    const resource = this.#matchingResource(criteria, request)
    if (resource && labels === 'unknown') {
      throw new Failure(failure.notFound(NAMESPACES, request.namespace ?? ''))
    }
    return resource
  }

  #matchingResource(
    criteria: MatchCriteria | ExcludingCriteria,
    request: AdmissionRequest,
  ): RequestedResource | undefined {
    if ('excludeRules' in criteria) {
      if (this.#ruled(criteria.excludeRules, criteria, request)) return undefined
      if (criteria.isOpen && criteria.rules.length === 0) return request.resource
    }
    return this.#ruled(criteria.rules, criteria, request)
  }

  #ruled(
    rules: readonly MatchRule[],
    { matchPolicy }: MatchCriteria,
    request: AdmissionRequest,
  ): RequestedResource | undefined {
    if (rules.length === 0) return undefined
    const results = this.#resultsFor(request)
    let result = results.get(rules)
    if (result === undefined) {
      result = this.#apply(rules, matchPolicy, request)
      if (rules.every(({ resourceNames }) => resourceNames.length === 0)) results.set(rules, result)
    }
    if (result === 'other') return undefined
    return result === 'own' ? request.resource : result
  }

  /** The results for requests with the same operation, resource, subresource and scope. */
  #resultsFor(request: AdmissionRequest): RuleResults {
    if (this.#last?.request === request) return this.#last.results
    const { revision } = this.#registry.catalogue
    if (revision !== this.#revision) {
      this.#results.clear()
      this.#revision = revision
    }
    const { operation, resource, subresource = '', namespace = '' } = request
    const { group, version, plural } = resource
    const key = `${operation} ${group}/${version}/${plural}/${subresource} ${namespace === ''}`
    let results = this.#results.get(key)
    if (!results) this.#results.set(key, (results = new WeakMap()))
    this.#last = { request, results }
    return results
  }

  #apply(
    rules: readonly MatchRule[],
    matchPolicy: MatchCriteria['matchPolicy'],
    request: AdmissionRequest,
  ): RuleResult {
    if (rules.some((rule) => covers(rule, request, request.resource))) return 'own'
    if (matchPolicy !== 'Equivalent') return 'other'
    const equivalents = this.#equivalents(request.resource)
    for (const rule of rules) {
      const found = equivalents.find((other) => covers(rule, request, other))
      if (found) return found
    }
    return 'other'
  }

  /**
   * The labels for a namespace selector: those of the written namespace, or of the namespace of the written object.
   */
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

  #equivalents({ group, version, plural }: RequestedResource): readonly Resource[] {
    const groups = plural === 'events' ? EVENT_GROUPS : [group]
    return this.#registry.catalogue
      .all()
      .filter((one) => one.plural === plural && groups.includes(one.group))
      .filter((one) => one.group !== group || one.version !== version)
  }
}

/** Whether a selector matches the new or the old object. The options of a connection have no labels. */
function selectsObject(selector: LabelSelector, { object, oldObject }: AdmissionRequest): boolean {
  if (selector.requirements.length === 0) return true
  return [object, oldObject].some(
    (one) => one && isObject(one.metadata) && matchesLabels(selector, one.metadata.labels),
  )
}
