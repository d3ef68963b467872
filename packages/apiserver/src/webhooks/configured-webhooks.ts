import { type Registry, storedObject } from '../registry/index.ts'
import { webhooksOf, type Webhook } from './call/webhook.ts'

const GROUP = 'admissionregistration.k8s.io'

/** The kinds of configurations, by the plural of their resource. */
export type WebhookConfigurations = 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations'

/**
 * The webhooks of all configurations of one kind, in the order in which they are called: by the name of the configuration,
 * then as the configuration lists them. They are read again after a configuration was written.
 */
export class ConfiguredWebhooks {
  readonly #registry: Registry
  readonly #plural: WebhookConfigurations
  #webhooks: readonly Webhook[] | undefined

  constructor(registry: Registry, plural: WebhookConfigurations) {
    this.#registry = registry
    this.#plural = plural
    registry.observe(({ resource }) => {
      if (resource.group === GROUP && resource.plural === plural) this.#webhooks = undefined
    })
  }

  all(): readonly Webhook[] {
    return (this.#webhooks ??= this.#registry.store
      .snapshot({ collection: `${GROUP}/${this.#plural}` })
      .map(storedObject)
      .toSorted((a, b) => compare(a.metadata.name ?? '', b.metadata.name ?? ''))
      .flatMap(webhooksOf))
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
