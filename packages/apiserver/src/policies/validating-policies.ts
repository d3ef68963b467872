import { failure, oncePerObject } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import { KnownDecisions, whenKnown } from '../expressions/index.ts'
import { inVersion, RequestMatcher, type RequestedResource } from '../matching/index.ts'
import type { PolicyCheck, ServerMetrics } from '../metrics/index.ts'
import { Failure, type Registry, type Resource, type ServerObject } from '../registry/index.ts'
import { collectParams, paramResource, PolicyConfigurationError } from './collect-params.ts'
import { Candidates } from './candidates.ts'
import type { BoundPolicy } from './configured-policies.ts'
import { PolicyInput, policyError, type PolicyInvocation } from './policy-evaluation.ts'
import { policyNamespace } from './policy-namespace.ts'
import type { Policy, PolicyBinding } from './policy.ts'
import { refusedName } from './refused-name.ts'
import { ADMITTED, ValidatingPolicy, type Denial, type Problem, type Verdict } from './validating-policy.ts'

/** The codes of the reasons that a validation may give. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['Unauthorized', 401],
  ['Forbidden', 403],
  ['RequestEntityTooLarge', 413],
])

const NO_PARAMS: { readonly resource: Resource | undefined } = { resource: undefined }

/** A denial of the request, with kube-apiserver's message. */
interface Refusal {
  readonly message: string
  readonly reason: string
}

/** Evaluates validating policies. Each policy is compiled once. */
export class ValidatingPolicies {
  readonly #registry: Registry
  readonly #authorize: Authorizer
  readonly #matcher: RequestMatcher
  readonly #candidates: Candidates
  readonly #metrics: ServerMetrics
  readonly #compiled = oncePerObject((policy: Policy) => new ValidatingPolicy(policy, this.#metrics))

  constructor(registry: Registry, authorize: Authorizer, metrics: ServerMetrics) {
    this.#metrics = metrics
    this.#registry = registry
    this.#authorize = authorize
    this.#matcher = new RequestMatcher(registry)
    this.#candidates = new Candidates(this.#matcher)
  }

  /**
   * Evaluates the policies for a write, and warns or refuses. Returns a promise only where a webhook must convert an
   * object, or where expressions ask an authorizer that must wait.
   */
  validate(policies: readonly BoundPolicy[], request: AdmissionRequest): void | Promise<void> {
    const inputs = new Map<RequestedResource, PolicyInput>()
    const decisions = new KnownDecisions(this.#authorize)
    const refusals: Refusal[] = []
    const pending: Promise<void>[] = []
    const metrics = this.#metrics
    let seen: SeenRequest | undefined
    for (const { policy, bindings } of this.#candidates.of(policies, request)) {
      const resource = this.#matcher.resource(policy.criteria, request)
      if (!resource) continue
      const params = policy.paramKind
        ? usable({ policy }, refusals, () => ({ resource: paramResource(this.#registry, policy) }))
        : NO_PARAMS
      if (!params) continue
      const { resource: paramsFrom } = params
      if (seen?.resource !== resource || seen.paramResource !== paramsFrom) {
        const input = inputs.get(resource)
        seen = { request, resource, input, inputs, decisions, paramResource: paramsFrom, refusals, metrics }
      }
      for (const binding of bindings) {
        if (binding.criteria && !this.#matcher.resource(binding.criteria, request)) continue
        const evaluated = this.#evaluate(policy, binding, seen)
        if (evaluated) pending.push(evaluated)
      }
    }
    if (pending.length === 0) return refuse(refusals, request)
    return Promise.all(pending).then(() => refuse(refusals, request))
  }

  #evaluate(policy: Policy, binding: PolicyBinding, seen: SeenRequest): void | Promise<void> {
    if (!seen.paramResource) {
      const shared = this.#input(seen)
      if (shared instanceof PolicyInput) {
        return this.#follow(policy, binding, shared.with(undefined), seen)
      }
    }
    const params = usable({ policy, binding }, seen.refusals, () =>
      collectParams(this.#registry, seen.paramResource, binding, seen.request),
    )
    if (!params) return undefined
    const evaluate = (
      found: readonly (ServerObject | undefined)[],
      made: PolicyInput,
    ): void | Promise<void> => {
      const waiting = found.flatMap((one) => this.#follow(policy, binding, made.with(one), seen) ?? [])
      return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined)
    }
    const input = this.#input(seen)
    if (!(params instanceof Promise) && !(input instanceof Promise)) return evaluate(params, input)
    return Promise.all([params, input]).then(([found, made]) => evaluate(found, made))
  }

  /** Evaluates a policy with one of its parameters, and applies the actions of the binding to the verdict. */
  #follow(
    policy: Policy,
    binding: PolicyBinding,
    invocation: PolicyInvocation,
    seen: SeenRequest,
  ): void | Promise<void> {
    const verdict = whenKnown(() => this.#compiled(policy).evaluate(invocation))
    if (verdict === ADMITTED) return undefined
    if (!(verdict instanceof Promise)) return follow(policy, binding, verdict, seen)
    return verdict.then((made) => follow(policy, binding, made, seen))
  }

  #input(seen: SeenRequest): PolicyInput | Promise<PolicyInput> {
    if (seen.input) return seen.input
    const { request, resource, inputs, decisions } = seen
    const versioned = inVersion(this.#registry, request, resource)
    const namespace = policyNamespace(this.#registry, request)
    if (versioned instanceof Promise) {
      return versioned.then((one) => new PolicyInput(request, one, decisions, namespace))
    }
    const input = new PolicyInput(request, versioned, decisions, namespace)
    inputs.set(resource, input)
    seen.input = input
    return input
  }
}

/** A request, the resource by which a policy matches it, and the values cached for other policies. */
interface SeenRequest {
  readonly request: AdmissionRequest
  readonly resource: RequestedResource
  input: PolicyInput | undefined
  readonly inputs: Map<RequestedResource, PolicyInput>
  readonly decisions: KnownDecisions
  readonly paramResource: Resource | undefined
  /** Why the policies evaluated so far refuse the request. */
  readonly refusals: Refusal[]
  readonly metrics: ServerMetrics
}

function follow(
  policy: Policy,
  binding: PolicyBinding,
  { denials, annotationProblems, annotations, ignored }: Verdict,
  seen: SeenRequest,
): void {
  const { request, refusals, metrics } = seen
  for (const { key, value } of annotations) request.audit?.annotateAlso(`${policy.name}/${key}`, value)
  for (const problem of ignored) metrics.admission.validation('allow', checkOf(policy, binding, problem))
  for (const denial of denials) act(policy, binding, denial, seen)
  for (const problem of annotationProblems) {
    refusals.push(refusalOf({ policy, binding }, { ...problem, reason: '' }))
    metrics.admission.validation('deny', checkOf(policy, binding, problem))
  }
}

/** A failed validation, as metrics count it. */
function checkOf(policy: Policy, binding: PolicyBinding, { message, seconds }: Problem): PolicyCheck {
  return { policy: policy.name, binding: binding.name, error: policyError(message), seconds }
}

interface Refused {
  readonly policy: Policy
  readonly binding?: PolicyBinding
}

/**
 * The result of a function; undefined where a policy cannot be used, which refuses the request unless the failure
 * policy is `Ignore`.
 */
function usable<T>(refused: Refused, refusals: Refusal[], make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof PolicyConfigurationError)) throw error
    if (refused.policy.failurePolicy === 'Ignore') return undefined
    const message = `failed to configure ${refused.binding ? 'binding' : 'policy'}: ${error.message}`
    refusals.push(refusalOf(refused, { message, reason: '' }))
    return undefined
  }
}

/** How metrics name the actions of bindings. */
const COUNTED_ACTIONS: ReadonlyMap<string, 'audit' | 'deny' | 'warn'> = new Map([
  ['Audit', 'audit'],
  ['Deny', 'deny'],
  ['Warn', 'warn'],
])

function act(
  policy: Policy,
  binding: PolicyBinding,
  denial: Denial,
  { request, refusals, metrics }: SeenRequest,
): void {
  for (const action of binding.actions) {
    const counted = COUNTED_ACTIONS.get(action)
    if (counted) metrics.admission.validation(counted, checkOf(policy, binding, denial))
    if (action === 'Deny') refusals.push(refusalOf({ policy, binding }, denial))
    if (action === 'Audit') {
      const value = {
        message: denial.message,
        policy: policy.name,
        binding: binding.name,
        expressionIndex: denial.index,
        validationActions: binding.actions,
      }
      request.audit?.annotateJson('validation.policy.admission.k8s.io/validation_failure', [value])
    }
    if (action === 'Warn') {
      request.warn(
        `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${denial.message}`,
      )
    }
  }
}

function refusalOf(
  { policy, binding }: Refused,
  { message, reason }: Pick<Denial, 'message' | 'reason'>,
): Refusal {
  const by = binding ? ` with binding '${binding.name}'` : ''
  return {
    message: `ValidatingAdmissionPolicy '${policy.name}'${by} denied request: ${message}`,
    reason: reason || 'Invalid',
  }
}

/** Refuses the request with the first refusal. */
function refuse([first]: readonly Refusal[], request: AdmissionRequest): void {
  if (!first) return
  const { message, reason } = first
  const status = failure.forbidden(request.resource, refusedName(request), message)
  throw new Failure({
    ...status,
    reason,
    details: { ...status.details, causes: [{ message }] },
    code: CODES.get(reason) ?? 422,
  })
}
