import { checkOptionNames, HomeostatError, milliseconds, optionNames, type Duration } from '@homeostat/api'
import type { PageCertificate } from '../../pages/index.ts'

/** Where a manager serves its webhooks, with which certificate, and how API servers learn of them. */
export interface WebhooksOptions {
  /**
   * The name of the operator. The webhook configurations have this name, its Secret is `<name>-webhook-certificates`, and its Service
   * `<name>-webhooks`. Default: the name of the Lease where a leader is elected. Webhooks with certificates from files need none.
   */
  readonly name?: string | undefined
  /** 0 takes a free one. Default: 9443 in a Pod, a free one elsewhere. */
  readonly port?: number | undefined
  /** Default: all addresses in a Pod, `127.0.0.1` elsewhere. */
  readonly host?: string | undefined
  /**
   * Files with a certificate and its key, such as those of a Secret that cert-manager renews and the Pod mounts. They are read again every
   * ten seconds. Default: the manager makes certificates, shares them with the operator's other processes in a Secret, renews
   * them, and writes `caBundle` into the webhook configurations and definitions.
   */
  readonly tls?: PageCertificate | undefined
  /** How the manager's own certificates are kept. */
  readonly certificates?: WebhookCertificatesOptions | undefined
  /**
   * The Service through which API servers reach the webhooks in a Pod. If it is given, this process is assumed to run
   * in a Pod.
   */
  readonly service?: WebhookServiceOptions | undefined
  /**
   * The address by which API servers reach the webhooks, without a path. Default: the Service in a Pod, and elsewhere the port on this
   * machine, `https://127.0.0.1:<port>`.
   */
  readonly url?: string | undefined
  /**
   * Whether the manager writes the webhook configurations, and the conversion stanza of the kinds' definitions, which
   * must exist. Outside of a Pod it removes them when it stops, and the next start replaces what a crash left behind.
   * Default: true outside of a Pod; false in a Pod, where a user applies the manifests and the manager writes only
   * `caBundle`.
   */
  readonly install?: boolean | undefined
  /**
   * How long a manager still accepts new connections after it begins to stop, because API servers need a moment to
   * learn that they must no longer call this Pod. It is at most half of `gracefulShutdownTimeout`. Default: `'5s'` in a
   * Pod; elsewhere `0`, because the manager removes the configurations first.
   */
  readonly shutdownDelay?: Duration | undefined
}

/** The Service of an operator's webhooks. */
export interface WebhookServiceOptions {
  /** Default: `<name>-webhooks`. */
  readonly name?: string | undefined
  /** Default: the namespace of the Pod. */
  readonly namespace?: string | undefined
  /** Default: 443, as in Kubernetes. */
  readonly port?: number | undefined
}

/** How a manager keeps the certificates of its webhooks. */
export interface WebhookCertificatesOptions {
  /**
   * The Secret that all processes of the operator share, in the namespace of the manager. Default in a Pod: `<name>-webhook-certificates`.
   * Outside of a Pod certificates are kept in memory, except where this is given.
   */
  readonly secret?: string | undefined
  /** How long a certificate is valid. Default: 60 days, `'1440h'`. */
  readonly validity?: Duration | undefined
  /** How long before its end a certificate is renewed. Default: half of its validity. */
  readonly renewBefore?: Duration | undefined
}

const OPTIONS = optionNames<WebhooksOptions>('manager.addWebhooks', {
  name: true,
  port: true,
  host: true,
  tls: true,
  certificates: true,
  service: true,
  url: true,
  install: true,
  shutdownDelay: true,
})
const SERVICE = optionNames<WebhookServiceOptions>('the option service of manager.addWebhooks', {
  name: true,
  namespace: true,
  port: true,
})
const CERTIFICATES = optionNames<WebhookCertificatesOptions>(
  'the option certificates of manager.addWebhooks',
  {
    secret: true,
    validity: true,
    renewBefore: true,
  },
)
const TLS = optionNames<PageCertificate>('the option tls of manager.addWebhooks', {
  certFile: true,
  keyFile: true,
})

/** How long a certificate is valid by default. */
const SIXTY_DAYS = '1440h'

/** The times of certificates, in milliseconds. */
export function certificateTimes({ certificates = {} }: WebhooksOptions): {
  validity: number
  renewBefore: number
} {
  const validity = milliseconds(certificates.validity ?? SIXTY_DAYS)
  const renewBefore =
    certificates.renewBefore === undefined ? validity / 2 : milliseconds(certificates.renewBefore)
  return { validity, renewBefore }
}

/** Throws a `HomeostatError` for options that do not exist, or exclude each other. */
export function checkWebhooksOptions(options: WebhooksOptions): void {
  checkOptionNames(options, OPTIONS)
  checkOptionNames(options.service, SERVICE)
  checkOptionNames(options.certificates, CERTIFICATES)
  checkOptionNames(options.tls, TLS)
  const { tls, certificates, service, url, install, shutdownDelay } = options
  if (shutdownDelay !== undefined && milliseconds(shutdownDelay) < 0)
    throw invalid('shutdownDelay must not be negative')
  if (tls && certificates) throw invalid('tls and certificates exclude each other: leave one of them out')
  if (tls && install) {
    throw invalid(
      'install needs certificates that the manager creates, because the configurations name their authority: leave tls out, or apply the objects of webhookConfigurations yourself',
    )
  }
  if (service && url !== undefined) throw invalid('service and url exclude each other: leave one of them out')
  if (url !== undefined && URL.parse(url)?.protocol !== 'https:')
    throw invalid(`the url ${JSON.stringify(url)} must be an address that begins with https://`)
  const { validity, renewBefore } = certificateTimes(options)
  if (!(renewBefore > 0 && renewBefore < validity))
    throw invalid('certificates.renewBefore must be above 0 and less than certificates.validity')
}

/** The name of the operator. Throws a `HomeostatError` where it is needed and not given. */
export function requiredName({ name }: WebhooksOptions): string {
  if (name !== undefined) return name
  throw invalid(
    'the name is missing: give the name of the operator, which its webhook configurations and the Secret of its certificates get',
  )
}

function invalid(why: string): HomeostatError {
  return new HomeostatError('WEBHOOK_OPTIONS_INVALID', `the options of manager.addWebhooks: ${why}`)
}
