import {
  checkOptionNames,
  HomeostatError,
  milliseconds,
  optionNames,
  type ApiHandler,
  type Clock,
  type Duration,
} from '@homeostat/api'
import type { Client } from '../../client/index.ts'
import { loadCertificateFiles, type PageCertificate } from '../../pages/index.ts'
import type { Logger, Metrics, MetricsRegistry, Tracing } from '../../telemetry/index.ts'
import { webhookHandler, type Webhook, type WebhookCaller } from '../review/index.ts'
import type { CertificateSource } from './webhook-port.ts'

/** Where webhooks are served. */
export interface WebhookServerOptions {
  /**
   * Files with the certificate and its key, such as those of a mounted Secret, which are read again every ten seconds; or something
   * else that gives certificates.
   */
  readonly tls: PageCertificate | CertificateSource
  /** 0 takes a free one. Default: 9443. */
  readonly port?: number | undefined
  /** Default: `0.0.0.0`, because an API server calls from elsewhere. */
  readonly host?: string | undefined
  /**
   * How long new connections are still accepted after the stop, because API servers need a moment to learn that they
   * must no longer call this Pod. Default: not at all.
   */
  readonly shutdownDelay?: Duration | undefined
  /** Receives spans. Default: there are none. */
  readonly tracing?: Tracing | undefined
}

/** The parts of the context of a runnable that the server needs. */
interface ServerContext {
  readonly client: Client
  /** A client for one call, in its name and ended by its signal. Default: `client` for all of them. */
  readonly clientFor?: ((caller: WebhookCaller) => Client) | undefined
  /** Called when the port is open. */
  readonly onOpen?: ((url: string) => void) | undefined
  readonly log: Logger
  readonly clock: Clock
  readonly metrics: Metrics
  readonly signal: AbortSignal
}

const OPTIONS = optionNames<WebhookServerOptions>('WebhookServer', {
  tls: true,
  port: true,
  host: true,
  shutdownDelay: true,
  tracing: true,
})

/**
 * Serves webhooks over HTTPS while a manager runs, in every process and not only in the one that leads:
 * `manager.addRunnable('webhooks', server.run, { needLeaderElection: false }).addReadyCheck('webhooks', server.ready)`. When the manager
 * stops, it is no longer ready. After the shutdown delay it accepts no new connections; it answers all requests that it has received.
 */
export class WebhookServer {
  readonly #webhooks: readonly Webhook[]
  readonly #options: WebhookServerOptions
  #url: string | undefined
  #isStopping = false

  /** Throws where two webhooks have the same path, or an option does not exist. */
  constructor(webhooks: readonly Webhook[], options: WebhookServerOptions) {
    checkOptionNames(options, OPTIONS)
    milliseconds(options.shutdownDelay ?? 0)
    webhookHandler(webhooks)
    this.#webhooks = webhooks
    this.#options = options
  }

  /** Where it answers, without a path, while it is open: for `webhookConfigurations` outside of a Pod. */
  get url(): string | undefined {
    return this.#url
  }

  /** The runnable. Rejects with a `HomeostatError` with code `PAGE_CERTIFICATE` or `WEBHOOK_PORT` where the port cannot be opened. */
  readonly run = async (context: ServerContext): Promise<void> => {
    const { client, clientFor = () => client, clock, log, signal } = context
    const { tls, tracing, port = 9443, host = '0.0.0.0', shutdownDelay = 0 } = this.#options
    const metrics = context.metrics as MetricsRegistry
    const environment = { clock, logger: log, metrics, tracing, client: clientFor }
    const handler: ApiHandler = webhookHandler(this.#webhooks, environment)
    // Modules are loaded only if they are used.
    const { openWebhookPort } = await import('./webhook-port.ts')
    const certificate = await certificateOf(tls, context)
    const opened = await openWebhookPort(handler, { certificate, port, host }, log)
    this.#url = opened.url
    context.onOpen?.(opened.url)
    log.info({ url: opened.url }, 'webhooks are served')
    try {
      if (!signal.aborted)
        await new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        )
      this.#isStopping = true
      opened.drain()
      const delay = milliseconds(shutdownDelay)
      if (delay > 0) await clock.sleep(delay)
    } finally {
      this.#url = undefined
      await opened.close()
    }
  }

  /** The check for readiness: fails while the port is not open, and once the manager stops. */
  readonly ready = (): void => {
    if (this.#isStopping)
      throw new HomeostatError(
        'WEBHOOK_NOT_SERVED',
        'the webhooks are not served any more: the manager stops',
      )
    if (this.#url === undefined)
      throw new HomeostatError('WEBHOOK_NOT_SERVED', 'the webhooks are not served yet: the port is not open')
  }
}

async function certificateOf(
  tls: PageCertificate | CertificateSource,
  { clock, log: logger, metrics }: ServerContext,
): Promise<CertificateSource> {
  if ('start' in tls) return tls
  const CertificateFiles = await loadCertificateFiles()
  return new CertificateFiles(tls, { clock, logger, metrics: metrics as MetricsRegistry })
}
