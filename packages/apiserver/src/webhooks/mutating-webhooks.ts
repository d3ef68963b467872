import { applyJsonPatch, failure, PatchError, type JsonPatchOperation } from '@homeostat/api'
import type { AdmissionRequest } from '../admission/index.ts'
import {
  allowCalled,
  completeChanged,
  inRequestVersion,
  newReinvocation,
  replaceContent,
  unfittingOperation,
} from '../matching/index.ts'
import { Failure, type Registry, type ServerObject } from '../registry/index.ts'
import { copyJson, equalJson, isObject } from '../schema/index.ts'
import { jsonSyntaxProblem } from '../wire/index.ts'
import type { RelevantWebhooks } from './relevant-webhooks.ts'
import type { Invocation, ReviewResponse } from './review.ts'
import type { WebhookCalls } from './webhook-calls.ts'
import type { WebhookCounts } from './webhook-counts.ts'
import type { Webhook } from './call/webhook.ts'
import { WebhookCallError } from './webhook-failure.ts'

/**
 * Calls mutating webhooks one after the other. Each sees the object as the ones before it left it. If one of them
 * changes the object, all plugins are called once more, and so are the webhooks whose `reinvocationPolicy` asks for
 * it.
 */
export class MutatingWebhooks {
  readonly #registry: Registry
  readonly #relevant: RelevantWebhooks
  readonly #calls: WebhookCalls
  readonly #counts: WebhookCounts

  constructor(registry: Registry, relevant: RelevantWebhooks, calls: WebhookCalls, counts: WebhookCounts) {
    this.#counts = counts
    this.#registry = registry
    this.#relevant = relevant
    this.#calls = calls
  }

  async mutate(webhooks: readonly Webhook[], request: AdmissionRequest): Promise<void> {
    const reinvocation = (request.reinvocation ??= newReinvocation())
    const { isUnderWay, webhooks: state } = reinvocation
    // Plugins of the server that were called again may have changed the object since.
    if (isUnderWay && !equalJson(state.output, request.object)) allowCalled(state)
    for (const [index, webhook] of webhooks.entries()) {
      const found = this.#relevant.invocation(webhook, request)
      const invocation = found instanceof Promise ? await found : found
      if (!invocation || (isUnderWay && !state.eligible.has(webhook.id))) continue
      if (await this.#call(invocation, request, `round_${isUnderWay ? 1 : 0}_index_${index}`)) {
        // Earlier webhooks are called again. This one has made the change itself.
        reinvocation.isRequired = true
        allowCalled(state)
      }
      if (webhook.isReinvoked) state.called.add(webhook.id)
    }
    if (reinvocation.isRequired && request.object) state.output = copyJson(request.object)
  }

  /** Whether the webhook changed the object. */
  async #call(invocation: Invocation, request: AdmissionRequest, place: string): Promise<boolean> {
    const { webhook } = invocation
    const annotate = (mutated: boolean): void => {
      const value = { configuration: webhook.configuration, webhook: webhook.name, mutated }
      request.audit?.annotateJson(`mutation.webhook.admission.k8s.io/${place}`, value)
    }
    try {
      const changed = await this.#counts.count(webhook, request, () =>
        this.#patch(invocation, request, place),
      )
      annotate(changed)
      return changed
    } catch (error) {
      annotate(false)
      if (!(error instanceof WebhookCallError)) throw error
      if (webhook.failurePolicy === 'Ignore') {
        request.audit?.annotate(`failed-open.mutation.webhook.admission.k8s.io/${place}`, webhook.name)
        return false
      }
      throw new Failure(failure.internalError(error.message))
    }
  }

  async #patch(invocation: Invocation, request: AdmissionRequest, place: string): Promise<boolean> {
    const { webhook } = invocation
    const response = await this.#calls.ask(invocation, request, true)
    const operations = operationsOf(response, webhook.name)
    if (operations.length === 0) return false
    const { object } = invocation
    if (!object || !request.object) {
      throw new Failure(
        failure.internalError(
          `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
        ),
      )
    }
    if (response.patchType !== 'JSONPatch') {
      throw new WebhookCallError(
        webhook.name,
        `unsupported patch type ${JSON.stringify(response.patchType)}`,
        400,
      )
    }
    const changed = patchedObject(object, operations)
    completeChanged(this.#registry, changed, invocation.resource, request.submitted)
    const patched = await inRequestVersion(this.#registry, changed, request)
    if (equalJson(patched, request.object)) return false
    replaceContent(request.object, patched)
    if (request.audit?.wantsRequest) {
      const { configuration, name } = webhook
      const value = { configuration, webhook: name, patch: operations, patchType: 'JSONPatch' }
      request.audit.annotateJson(`patch.webhook.admission.k8s.io/${place}`, value)
    }
    return true
  }
}

function operationsOf({ patch }: ReviewResponse, webhook: string): readonly JsonPatchOperation[] {
  if (patch === '') return []
  const problem = jsonSyntaxProblem(new TextEncoder().encode(patch))
  if (problem !== undefined) {
    throw new WebhookCallError(webhook, `received undecodable patch in webhook response: ${problem}`)
  }
  const operations: unknown = JSON.parse(patch)
  if (!Array.isArray(operations)) {
    throw new WebhookCallError(
      webhook,
      'received undecodable patch in webhook response: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    )
  }
  return operations as readonly JsonPatchOperation[]
}

function patchedObject(object: object, operations: readonly JsonPatchOperation[]): ServerObject {
  let patched: unknown = object
  for (const operation of operations) {
    try {
      patched = applyJsonPatch(patched, [operation])
    } catch (error) {
      if (!(error instanceof PatchError)) throw error
      throw new Failure(failure.internalError(unfittingOperation(operation, patched)))
    }
  }
  // The options of a connection have no metadata.
  if (!isObject(patched) || ('metadata' in object && !isObject(patched['metadata']))) {
    throw new Failure(failure.internalError('the patched object has no metadata'))
  }
  return patched as ServerObject
}
