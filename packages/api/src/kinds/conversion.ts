/** A webhook that turns objects of one version of a kind into another. */
export interface WebhookConversion {
  /** The Service of the webhook, inside the cluster; or give a `url`. */
  readonly service?:
    | { readonly name: string; readonly namespace: string; readonly path?: string; readonly port?: number }
    | undefined
  /** The address of a webhook outside the cluster, with `https`. */
  readonly url?: string | undefined
  /** The certificates to trust, in PEM and base64. May be filled in later. */
  readonly caBundle?: string | undefined
  /** The versions of ConversionReview that it understands, the preferred one first. Default: `['v1']`. */
  readonly reviewVersions?: readonly string[] | undefined
}

/** How a server converts between versions, as a CustomResourceDefinition holds it. */
export type CustomResourceConversion =
  | { strategy: 'None' }
  | {
      strategy: 'Webhook'
      webhook: {
        clientConfig: {
          service?: { name: string; namespace: string; path?: string; port?: number }
          url?: string
          caBundle?: string
        }
        conversionReviewVersions: string[]
      }
    }

/** The conversion in the form of a definition; `undefined` where the server's default, `None`, will do. */
export function conversionOf(
  conversion: 'None' | WebhookConversion | undefined,
): CustomResourceConversion | undefined {
  if (conversion === undefined) return undefined
  if (conversion === 'None') return { strategy: 'None' }
  const { service, url, caBundle, reviewVersions = ['v1'] } = conversion
  return {
    strategy: 'Webhook',
    webhook: {
      clientConfig: {
        ...(service ? { service: { ...service } } : {}),
        ...(url === undefined ? {} : { url }),
        ...(caBundle === undefined ? {} : { caBundle }),
      },
      conversionReviewVersions: [...reviewVersions],
    },
  }
}

/** The problem for which a server would refuse the conversion, with its remedy. */
export function conversionProblem(conversion: 'None' | WebhookConversion | undefined): string | undefined {
  if (conversion === undefined || conversion === 'None') return undefined
  const { service, url, reviewVersions } = conversion
  if ((service === undefined) === (url === undefined))
    return 'the conversion webhook needs either a service or a url: give exactly one of them'
  if (url !== undefined && !url.startsWith('https://'))
    return `the conversion webhook's url '${url}' is not https: a server calls it only over TLS`
  if (service?.path !== undefined && !service.path.startsWith('/'))
    return `the conversion webhook's path '${service.path}' must start with a slash`
  if (reviewVersions && !reviewVersions.some((version) => version === 'v1' || version === 'v1beta1'))
    return "the conversion webhook's reviewVersions must include v1, the version that servers send"
  return undefined
}
