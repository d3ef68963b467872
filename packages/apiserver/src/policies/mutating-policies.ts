import { failure, oncePerObject } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import { KnownDecisions, whenKnown } from '../expressions/index.ts'
import {
  allowCalled,
  completeChanged,
  inRequestVersion,
  inVersion,
  newReinvocation,
  RequestMatcher,
  replaceContent,
  type RequestedResource,
} from '../matching/index.ts'
import type { PolicyError, ServerMetrics } from '../metrics/index.ts'
import { Failure, type Registry, type ServerObject } from '../registry/index.ts'
import {
  copyJson,
  decodeProblem,
  equalJson,
  isObject,
  prune,
  quote,
  type TypeSchema,
} from '../schema/index.ts'
import { addAll } from '../work/index.ts'
import { collectParams, paramResource, PolicyConfigurationError } from './collect-params.ts'
import { Candidates } from './candidates.ts'
import type { BoundPolicy } from './configured-policies.ts'
import { MutationProblem } from './made-json.ts'
import { MutatingPolicy } from './mutating-policy.ts'
import { PolicyInput, policyError } from './policy-evaluation.ts'
import { policyNamespace } from './policy-namespace.ts'
import type { Policy, PolicyBinding } from './policy.ts'
import { refusedName } from './refused-name.ts'

/** A policy with one of its parameters, and the resource by which it matches the request. */
interface Invocation {
  readonly policy: Policy
  readonly binding: PolicyBinding
  readonly params: ServerObject | undefined
  readonly resource: RequestedResource
}

/** Why a policy refuses a request. A policy that cannot be used gives no reason. */
interface Problem {
  readonly message: string
  readonly reason: 'Invalid' | ''
}

/** Evaluates mutating policies one after the other. Each sees the object as the ones before it left it. */
export class MutatingPolicies {
  readonly #registry: Registry
  readonly #authorize: Authorizer
  readonly #matcher: RequestMatcher
  readonly #candidates: Candidates
  readonly #metrics: ServerMetrics
  readonly #compiled = oncePerObject((policy: Policy) => new MutatingPolicy(policy, this.#metrics))

  constructor(registry: Registry, authorize: Authorizer, metrics: ServerMetrics) {
    this.#metrics = metrics
    this.#registry = registry
    this.#authorize = authorize
    this.#matcher = new RequestMatcher(registry)
    this.#candidates = new Candidates(this.#matcher)
  }

  /**
   * Evaluates the policies for a write, and changes or refuses it. Returns a promise only where a policy may match it.
   */
  mutate(policies: readonly BoundPolicy[], request: AdmissionRequest): void | Promise<void> {
    const candidates = this.#candidates.of(policies, request)
    return candidates.length === 0 ? undefined : this.#mutateBy(candidates, request)
  }

  async #mutateBy(policies: readonly BoundPolicy[], request: AdmissionRequest): Promise<void> {
    const problems: Problem[] = []
    const invocations: Invocation[] = []
    for (const bound of policies) addAll(invocations, await this.#invocations(bound, request, problems))
    if (invocations.length > 0) await this.#mutateAll(invocations, request, problems)
    const [first] = problems
    if (!first) return
    const status = failure.forbidden(request.resource, refusedName(request), '')
    // As in Kubernetes, the code is still 403.
    throw new Failure({
      ...status,
      message: first.message,
      ...(first.reason !== '' && { reason: first.reason }),
      details: { ...status.details, causes: problems.map(({ message }) => ({ message })) },
    })
  }

  async #invocations(
    { policy, bindings }: BoundPolicy,
    request: AdmissionRequest,
    problems: Problem[],
  ): Promise<readonly Invocation[]> {
    const resource = this.#matcher.resource(policy.criteria, request)
    if (!resource) return []
    const found: Invocation[] = []
    let configured: PolicyBinding | undefined
    try {
      const paramsFrom = paramResource(this.#registry, policy)
      for (const binding of bindings) {
        configured = binding
        if (binding.criteria && !this.#matcher.resource(binding.criteria, request)) continue
        const all = await collectParams(this.#registry, paramsFrom, binding, request)
        for (const params of all) found.push({ policy, binding, params, resource })
      }
    } catch (error) {
      if (!(error instanceof PolicyConfigurationError)) throw error
      const what = configured ? 'binding' : 'policy'
      report(problems, { policy, binding: configured }, `failed to configure ${what}: ${error.message}`, '')
    }
    return found
  }

  async #mutateAll(
    invocations: readonly Invocation[],
    request: AdmissionRequest,
    problems: Problem[],
  ): Promise<void> {
    const reinvocation = (request.reinvocation ??= newReinvocation())
    const { isUnderWay, policies: state } = reinvocation
    // Webhooks and plugins of the server may have changed the object since.
    if (isUnderWay && !equalJson(state.output, request.object)) allowCalled(state)
    const decisions = new KnownDecisions(this.#authorize)
    for (const invocation of invocations) {
      const key = keyOf(invocation)
      const outcome = await this.#invoke(
        invocation,
        request,
        problems,
        decisions,
        !isUnderWay || state.eligible.has(key),
      )
      if (outcome === 'skipped') continue
      if (outcome === 'changed') {
        reinvocation.isRequired = true
        allowCalled(state)
      }
      if (this.#compiled(invocation.policy).isReinvoked) state.called.add(key)
    }
    if (request.object) state.output = copyJson(request.object)
  }

  async #invoke(
    { policy, binding, params, resource }: Invocation,
    request: AdmissionRequest,
    problems: Problem[],
    decisions: KnownDecisions,
    isEligible: boolean,
  ): Promise<'skipped' | 'kept' | 'changed'> {
    const compiled = this.#compiled(policy)
    const namespace = policyNamespace(this.#registry, request)
    const before = request.object && copyJson(request.object)
    for (const [index, mutation] of compiled.mutations.entries()) {
      const versioned = await inVersion(this.#registry, request, resource)
      const input = new PolicyInput(request, versioned, decisions, namespace).with(params)
      if (index === 0) {
        const met = await whenKnown(() => compiled.meets(input))
        if (met === false) return 'skipped'
        if (met !== true) {
          report(problems, { policy, binding }, met.problem)
          return 'skipped'
        }
        if (!isEligible) return 'skipped'
      }
      const { object } = versioned
      if (!request.object || !object) continue
      const begin = this.#metrics.seconds()
      const count = (error: PolicyError): void => {
        const seconds = this.#metrics.seconds() - begin
        this.#metrics.admission.mutation({ policy: policy.name, binding: binding.name, error, seconds })
      }
      try {
        const schema = this.#schemaOf(resource, request)
        const changed = await whenKnown(() => compiled.mutate(mutation, input, object, schema))
        await this.#store(changed, resource, request)
        count('no_error')
      } catch (error) {
        if (error instanceof Error) count(policyError(error.message))
        if (!(error instanceof MutationProblem)) throw error
        report(problems, { policy, binding }, error.message)
      }
    }
    return before && !equalJson(before, request.object) ? 'changed' : 'kept'
  }

  /** The schema of the written object; undefined where a subresource accepts an object of another kind. */
  #schemaOf(
    { group, version, plural }: RequestedResource,
    { submitted, subresource }: AdmissionRequest,
  ): TypeSchema | undefined {
    if (submitted || subresource === 'scale') return undefined
    return this.#registry.catalogue.find(group, version, plural)?.schema
  }

  async #store(changed: unknown, resource: RequestedResource, request: AdmissionRequest): Promise<void> {
    if (!request.object) return
    const { group, version, plural } = resource
    const served = request.submitted ? undefined : this.#registry.catalogue.find(group, version, plural)
    const problem = served && decodeProblem(served.schema, changed, served.kind)
    if (problem !== undefined) throw new Failure(failure.internalError(problem))
    if (!isWritten(changed, request.object)) {
      throw new Failure(failure.internalError('the mutated object has no metadata'))
    }
    const object = copyJson(changed)
    // Kubernetes decodes the result strictly, except for custom kinds.
    const unknown = served && !served.custom ? prune(served.schema, copyJson(changed)) : []
    if (unknown.length > 0) {
      const problems = unknown.map((path) => `unknown field ${quote(path)}`)
      throw new Failure(failure.internalError(`strict decoding error: ${problems.join(', ')}`))
    }
    completeChanged(this.#registry, object, resource, request.submitted)
    const own = await inRequestVersion(this.#registry, object, request)
    if (!equalJson(own, request.object)) replaceContent(request.object, own)
  }
}

/** Whether the result of a mutation is an object. The options of a connection have no metadata. */
function isWritten(changed: unknown, before: ServerObject): changed is ServerObject {
  return isObject(changed) && (!('metadata' in before) || isObject(changed['metadata']))
}

/** Records why a policy refuses a request, unless its failure policy ignores the failure. */
function report(
  problems: Problem[],
  { policy, binding }: Pick<Invocation, 'policy'> & { readonly binding: PolicyBinding | undefined },
  problem: string,
  reason: Problem['reason'] = 'Invalid',
): void {
  if (policy.failurePolicy === 'Ignore') return
  const by = binding
    ? `policy '${policy.name}' with binding '${binding.name}'`
    : `policy ${JSON.stringify(policy.name)}`
  problems.push({ message: `${by} denied request: ${problem}`, reason })
}

function keyOf({ policy, binding, params }: Invocation): string {
  const { namespace = '', name = '' } = params?.metadata ?? {}
  return JSON.stringify([policy.name, binding.name, namespace, name])
}
