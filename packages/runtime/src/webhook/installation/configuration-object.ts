import type { KubernetesObject } from '@homeostat/api'
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@homeostat/api/kinds'
import { webhookConfigurations } from '../admission/index.ts'
import type { Webhook, WebhookAddress } from '../review/index.ts'
import type { InstalledObject } from './installed-object.ts'

const KINDS = { mutating: MutatingWebhookConfiguration, validating: ValidatingWebhookConfiguration }

interface Entries {
  readonly webhooks?: readonly { readonly name: string }[] | undefined
}

/** The configuration of an operator's mutating or validating webhooks. */
export function configurationObject(
  type: keyof typeof KINDS,
  webhooks: readonly Webhook[],
  { name, address, labels }: { name: string; address: () => WebhookAddress; labels: Record<string, string> },
): InstalledObject {
  const made = (caBundle: string) =>
    webhookConfigurations(webhooks, { name, labels, clientConfig: { ...address(), caBundle } })[type]
  const ours = new Set(
    webhookConfigurations(webhooks, { name, clientConfig: { url: 'https://webhooks' } })[type]?.webhooks.map(
      (webhook) => webhook.name,
    ),
  )
  return {
    kind: KINDS[type],
    name,
    trust(live, caBundle) {
      const entries = (live as Entries).webhooks?.filter((entry) => ours.has(entry.name)) ?? []
      if (entries.length === 0) return undefined
      return { webhooks: entries.map((entry) => ({ name: entry.name, clientConfig: { caBundle } })) }
    },
    install: (caBundle) => made(caBundle),
    isForeign: ({ metadata }: KubernetesObject) =>
      Object.entries(labels).some(([label, value]) => metadata.labels?.[label] !== value),
  }
}
