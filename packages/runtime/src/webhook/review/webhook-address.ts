/** How API servers reach an operator's webhooks: by a Service of the cluster, or at an address. */
export type WebhookAddress =
  | {
      readonly service: {
        readonly name: string
        readonly namespace: string
        readonly port?: number | undefined
      }
      readonly url?: undefined
    }
  | {
      /** Such as `https://192.0.2.1:9443`. */
      readonly url: string
      readonly service?: undefined
    }

/** The host names and IP addresses that the certificate of such a server must have. */
export function hostNamesOf({ service, url }: WebhookAddress): string[] {
  if (!service) return [new URL(url).hostname.replaceAll(/[[\]]/g, '')]
  const { name, namespace } = service
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`]
}
