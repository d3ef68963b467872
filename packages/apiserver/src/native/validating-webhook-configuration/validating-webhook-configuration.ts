import { webhookConfiguration } from '../admission-configuration/admission-webhooks.ts'
import { webhookConfigurationPrinter } from '../admission-configuration/tables.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** ValidatingWebhookConfiguration: see `admission-configuration/`, which it shares with its siblings. */
export const validatingWebhookConfiguration: NativeKind = {
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingWebhookConfiguration',
  ...webhookConfiguration(false),
  table: webhookConfigurationPrinter,
}
