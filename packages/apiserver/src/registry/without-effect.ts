import { isObject, listOf, objectOf } from '../schema/json.ts'
import type { Resource } from './resource.ts'
import { specOf, type ServerObject } from './server-object.ts'

/** A kind, or some objects of it, that the server stores though nothing acts on them. */
export interface WithoutEffect {
  readonly group: string
  readonly kind: string
  /** What does not happen, in words that end the sentence `No effect here: …`. */
  readonly reason: string
  /** Which objects are meant, where that is not all of the kind. */
  readonly concerns?: ((object: Readonly<Record<string, unknown>>) => boolean) | undefined
}

const ADMISSION = 'admissionregistration.k8s.io'
const NO_WEBHOOKS = 'this API server does not call admission webhooks'
const NO_POLICIES = 'this API server does not evaluate admission policies'
const NO_FAIRNESS = 'this API server serves all requests with the same priority'

/**
 * What a kube-apiserver acts on and this server does not. Kinds that are left to controllers are not among them: a
 * kube-apiserver does not act on those either.
 */
export const SERVER_GAPS: readonly WithoutEffect[] = [
  {
    group: ADMISSION,
    kind: 'MutatingWebhookConfiguration',
    reason: `${NO_WEBHOOKS}, also where failurePolicy is Fail`,
    concerns: refusesWithoutWebhook,
  },
  { group: ADMISSION, kind: 'MutatingWebhookConfiguration', reason: NO_WEBHOOKS, concerns: ignoresFailures },
  {
    group: ADMISSION,
    kind: 'ValidatingWebhookConfiguration',
    reason: `${NO_WEBHOOKS}, also where failurePolicy is Fail`,
    concerns: refusesWithoutWebhook,
  },
  {
    group: ADMISSION,
    kind: 'ValidatingWebhookConfiguration',
    reason: NO_WEBHOOKS,
    concerns: ignoresFailures,
  },
  { group: ADMISSION, kind: 'MutatingAdmissionPolicy', reason: NO_POLICIES },
  { group: ADMISSION, kind: 'MutatingAdmissionPolicyBinding', reason: NO_POLICIES },
  { group: ADMISSION, kind: 'ValidatingAdmissionPolicy', reason: NO_POLICIES },
  { group: ADMISSION, kind: 'ValidatingAdmissionPolicyBinding', reason: NO_POLICIES },
  {
    group: 'apiextensions.k8s.io',
    kind: 'CustomResourceDefinition',
    reason:
      'this API server does not call conversion webhooks: requests through a version other than the stored one fail',
    concerns: convertsByWebhook,
  },
  {
    group: 'apiregistration.k8s.io',
    kind: 'APIService',
    reason: 'this API server does not pass requests on to other API servers',
    concerns: (object) => isObject(objectOf(object['spec'])['service']),
  },
  { group: '', kind: 'ResourceQuota', reason: 'this API server does not enforce quotas' },
  { group: 'flowcontrol.apiserver.k8s.io', kind: 'FlowSchema', reason: NO_FAIRNESS },
  { group: 'flowcontrol.apiserver.k8s.io', kind: 'PriorityLevelConfiguration', reason: NO_FAIRNESS },
  {
    group: 'networking.k8s.io',
    kind: 'IPAddress',
    reason: 'this API server does not reserve the address: a Service may get it',
  },
  {
    group: 'networking.k8s.io',
    kind: 'ServiceCIDR',
    reason: 'this API server takes the addresses of Services from its own range alone',
  },
]

function webhooksOf(object: Readonly<Record<string, unknown>>): readonly Record<string, unknown>[] {
  return listOf(object['webhooks']).map(objectOf)
}

/** Whether a kube-apiserver that cannot reach a webhook would refuse requests. */
function refusesWithoutWebhook(object: Readonly<Record<string, unknown>>): boolean {
  return webhooksOf(object).some(({ failurePolicy }) => failurePolicy !== 'Ignore')
}

function ignoresFailures(object: Readonly<Record<string, unknown>>): boolean {
  return webhooksOf(object).length > 0 && !refusesWithoutWebhook(object)
}

function convertsByWebhook(object: Readonly<Record<string, unknown>>): boolean {
  const spec = specOf(object as ServerObject)
  return objectOf(spec['conversion'])['strategy'] === 'Webhook' && listOf(spec['versions']).length > 1
}

/** What begins every warning that a kube-apiserver would not give. */
const PREFIX = 'No effect here: '

/** Says of objects that nothing acts on them. */
export class EffectWarnings {
  readonly #gaps: ReadonlyMap<string, readonly WithoutEffect[]>

  constructor(gaps: readonly WithoutEffect[]) {
    this.#gaps = Map.groupBy(gaps, ({ group, kind }) => `${group}/${kind}`)
  }

  /** The warning to the client that writes an object; undefined where the object has its effect. */
  of({ group, kind, custom }: Resource, object: ServerObject): string | undefined {
    const gaps = custom ? undefined : this.#gaps.get(`${group}/${kind}`)
    const gap = gaps?.find(({ concerns }) => concerns?.(object) ?? true)
    return gap && `${PREFIX}${gap.reason}`
  }
}
