import type { AdmissionPlugin, AdmissionRequest } from '../admission/index.ts'
import type { Authorizer } from '../auth/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import type { Registry } from '../registry/index.ts'
import type { CallWebhook } from './call/call-webhook.ts'
import { ConfiguredWebhooks } from './configured-webhooks.ts'
import type { WebhookDispatch } from './webhook-dispatch.ts'
import type { Webhook } from './call/webhook.ts'

/** Kinds for which no webhook is called, so that a broken one can be repaired. */
const EXEMPT: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
])

/**
 * The plugins that call the webhooks of the server's configurations. Their modules are loaded with the first call:
 * most servers have no webhooks.
 */
export function admissionWebhooks(
  registry: Registry,
  call: CallWebhook,
  authorize: Authorizer,
  metrics: ServerMetrics,
): { readonly mutating: AdmissionPlugin; readonly validating: AdmissionPlugin } {
  let dispatch: WebhookDispatch | undefined
  const mutating = new ConfiguredWebhooks(registry, 'mutatingwebhookconfigurations')
  const validating = new ConfiguredWebhooks(registry, 'validatingwebhookconfigurations')

  async function load(): Promise<WebhookDispatch> {
    // Loading takes real time, during which a simulated clock must not advance.
    using _ = registry.clock.busy('loading admission webhooks')
    const { createDispatch } = await import('./webhook-dispatch.ts')
    return (dispatch = createDispatch(registry, call, authorize, metrics))
  }

  return {
    mutating: {
      submissions: true,
      leavesIncomplete: true,
      isActive: () => mutating.all().length > 0,
      admit(request) {
        const webhooks = webhooksFor(mutating, request)
        return webhooks && send(webhooks, request, 'mutate')
      },
    },
    validating: {
      submissions: true,
      isActive: () => validating.all().length > 0,
      validate(request) {
        const webhooks = webhooksFor(validating, request)
        return webhooks && send(webhooks, request, 'validate')
      },
    },
  }

  async function send(
    webhooks: readonly Webhook[],
    request: AdmissionRequest,
    phase: keyof WebhookDispatch,
  ): Promise<void> {
    const { [phase]: run } = dispatch ?? (await load())
    await run(webhooks, request)
  }
}

function webhooksFor(
  configured: ConfiguredWebhooks,
  { kind }: AdmissionRequest,
): readonly Webhook[] | undefined {
  if (kind.group === 'admissionregistration.k8s.io' && EXEMPT.has(kind.kind)) return undefined
  const webhooks = configured.all()
  return webhooks.length > 0 ? webhooks : undefined
}
