import { webhookConfiguration } from '../admission-configuration/admission-webhooks.ts'
import { webhookConfigurationPrinter } from '../admission-configuration/tables.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** MutatingWebhookConfiguration: see `admission-configuration/`, which it shares with its siblings. */
export const mutatingWebhookConfiguration: NativeKind = {
  group: 'admissionregistration.k8s.io',
  kind: 'MutatingWebhookConfiguration',
  ...webhookConfiguration(true),
  table: webhookConfigurationPrinter,
}
