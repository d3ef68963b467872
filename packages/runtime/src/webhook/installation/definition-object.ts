import type { AnyKind, KubernetesObject } from '@homeostat/api'
import { CustomResourceDefinition } from '@homeostat/api/kinds'
import type { InstalledObject } from './installed-object.ts'
import type { WebhookAddress } from '../review/index.ts'

interface ConversionSpec {
  readonly spec?: { readonly conversion?: Conversion | undefined } | undefined
}

interface Conversion {
  readonly strategy?: string | undefined
  readonly webhook?: {
    readonly clientConfig?: { readonly service?: ServiceReference | undefined } | undefined
  }
}

interface ServiceReference {
  readonly namespace: string
  readonly name: string
}

/** The CustomResourceDefinition of a kind whose versions a webhook converts: the part about the conversion. */
export function definitionObject(
  { group, plural }: AnyKind,
  { path, address, fieldManager }: { path: string; address: () => WebhookAddress; fieldManager: string },
): InstalledObject {
  return {
    kind: CustomResourceDefinition,
    name: `${plural}.${group}`,
    trust(live, caBundle) {
      if (conversionOf(live)?.strategy !== 'Webhook') return undefined
      return { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } }
    },
    install(caBundle) {
      const { service, url } = address()
      const clientConfig = service
        ? { service: { ...service, path }, caBundle }
        : { url: `${url.replace(/\/$/, '')}${path}`, caBundle }
      const webhook = { conversionReviewVersions: ['v1'], clientConfig }
      return { spec: { conversion: { strategy: 'Webhook', webhook } } }
    },
    uninstalled: {},
    unserved: {
      patch: { spec: { conversion: { strategy: 'None', webhook: null } } },
      serviceOf: (live) => conversionOf(live)?.webhook?.clientConfig?.service,
    },
    isForeign: (live) => conversionOf(live)?.strategy === 'Webhook' && !ownsStrategy(live, fieldManager),
  }
}

function conversionOf(live: KubernetesObject): Conversion | undefined {
  return (live as ConversionSpec).spec?.conversion
}

/** Whether a field manager has applied the strategy of the conversion. */
function ownsStrategy({ metadata }: KubernetesObject, fieldManager: string): boolean {
  return (metadata.managedFields ?? []).some(({ manager, operation, fieldsV1 }) => {
    if (manager !== fieldManager || operation !== 'Apply') return false
    const fields = fieldsV1 as { 'f:spec'?: { 'f:conversion'?: { 'f:strategy'?: object } } } | undefined
    return fields?.['f:spec']?.['f:conversion']?.['f:strategy'] !== undefined
  })
}
