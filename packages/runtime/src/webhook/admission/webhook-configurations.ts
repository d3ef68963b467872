import { checkOptionNames, optionNames } from '@homeostat/api'
import type { AdmissionEndpoint } from './admission-endpoint.ts'
import type { WebhookAddress, WebhookEndpoint } from '../review/index.ts'

/** Where an API server reaches the webhooks: a Service of the cluster or an address, without the path. */
export type WebhookClientConfig = WebhookAddress & {
  /** The certificates to trust, in PEM and base64. May be filled in later. */
  readonly caBundle?: string | undefined
}

/** Options of all webhook configurations of an operator. */
export interface WebhookConfigurationOptions {
  /** The name of both objects. */
  readonly name: string
  readonly clientConfig: WebhookClientConfig
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

const OPTIONS = optionNames<WebhookConfigurationOptions>('webhookConfigurations', {
  name: true,
  clientConfig: true,
  labels: true,
  annotations: true,
})

/** A webhook configuration of `admissionregistration.k8s.io/v1`, as it is applied. */
interface Configuration<Kind extends string> {
  apiVersion: 'admissionregistration.k8s.io/v1'
  kind: Kind
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  webhooks: ReturnType<typeof entryOf>[]
}

/** The objects that make an API server call webhooks. Objects that no webhook needs are absent. */
export interface WebhookConfigurations {
  readonly mutating?: Configuration<'MutatingWebhookConfiguration'>
  readonly validating?: Configuration<'ValidatingWebhookConfiguration'>
}

/**
 * The MutatingWebhookConfiguration and the ValidatingWebhookConfiguration of an operator's admission webhooks. Other webhooks
 * are left out. Options that were not given are left to the API server's defaults.
 */
export function webhookConfigurations(
  webhooks: readonly { readonly endpoints: readonly WebhookEndpoint[] }[],
  options: WebhookConfigurationOptions,
): WebhookConfigurations {
  checkOptionNames(options, OPTIONS)
  const endpoints = webhooks.flatMap((webhook) => webhook.endpoints)
  const entries = (type: AdmissionEndpoint['type']) =>
    endpoints
      .filter((endpoint): endpoint is AdmissionEndpoint => endpoint.type === type)
      .map((endpoint) => entryOf(endpoint, options.clientConfig))
  const [mutating, validating] = [entries('mutating'), entries('validating')]
  const metadata = {
    name: options.name,
    ...(options.labels ? { labels: { ...options.labels } } : {}),
    ...(options.annotations ? { annotations: { ...options.annotations } } : {}),
  }
  const apiVersion = 'admissionregistration.k8s.io/v1'
  return {
    ...(mutating.length > 0
      ? { mutating: { apiVersion, kind: 'MutatingWebhookConfiguration', metadata, webhooks: mutating } }
      : {}),
    ...(validating.length > 0
      ? { validating: { apiVersion, kind: 'ValidatingWebhookConfiguration', metadata, webhooks: validating } }
      : {}),
  }
}

function entryOf(
  { name, path, rules, options }: AdmissionEndpoint,
  { service, url, caBundle }: WebhookClientConfig,
) {
  const { name: _, path: __, scope: ___, operations: ____, sideEffects = 'None', ...more } = options
  return {
    name,
    admissionReviewVersions: ['v1'],
    clientConfig: {
      ...(service ? { service: { ...service, path } } : { url: `${url.replace(/\/$/, '')}${path}` }),
      ...(caBundle === undefined ? {} : { caBundle }),
    },
    rules: rules.map((rule) => ({ ...rule })),
    sideEffects,
    ...more,
  }
}
