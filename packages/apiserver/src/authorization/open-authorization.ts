import { SystemClock, type Clock } from '@homeostat/api'
import { alwaysAllow, alwaysDeny, chainAuthorizers, type Authorization } from '../auth/index.ts'
import { readKubeconfig, ReviewClient } from '../review-webhooks/index.ts'
import { readConfiguration, type AuthorizerSettings } from './authorization-configuration.ts'
import { WebhookAuthorizer } from './webhook-authorizer.ts'

/** Authorizers that hold connections to webhooks. Disposing of them closes the connections. */
export interface OpenAuthorization extends Authorization, Disposable {
  /** The types of its authorizers. */
  readonly types: ReadonlySet<AuthorizerSettings['type']>
}

/**
 * The authorizers of an AuthorizationConfiguration, in its order. Fails with `AUTHORIZATION_CONFIGURATION_INVALID`, or with
 * `WEBHOOK_KUBECONFIG_INVALID`.
 */
export async function openAuthorization(
  configuration: unknown,
  { rbac, clock }: { readonly rbac: Authorization; readonly clock: Clock },
): Promise<OpenAuthorization> {
  const clients: ReviewClient[] = []
  const open = async (settings: AuthorizerSettings, index: number): Promise<Authorization> => {
    switch (settings.type) {
      case 'RBAC':
        return rbac
      case 'AlwaysAllow':
        return alwaysAllow
      case 'AlwaysDeny':
        return alwaysDeny
      case 'Webhook': {
        const option = `authorizers[${index}].webhook.connectionInfo.kubeConfigFile`
        const service = await readKubeconfig(option, settings.kubeconfig)
        // The network takes real time, also under a simulated clock.
        const client = new ReviewClient(service, { timeout: settings.timeout, clock: new SystemClock() })
        clients.push(client)
        return new WebhookAuthorizer(settings, client, clock)
      }
    }
  }
  const settings = readConfiguration(configuration)
  const opened = await Promise.allSettled(settings.map(open))
  const close = (): void => {
    for (const client of clients) client[Symbol.dispose]()
  }
  const authorizers = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = opened.find((one) => one.status === 'rejected')
  if (failed) {
    close()
    throw failed.reason
  }
  const chain = chainAuthorizers(authorizers)
  return {
    types: new Set(settings.map(({ type }) => type)),
    authorize: chain.authorize,
    rulesFor: (user, namespace) => chain.rulesFor(user, namespace),
    [Symbol.dispose]: close,
  }
}
