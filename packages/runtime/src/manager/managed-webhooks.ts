import { checkOptionNames, HomeostatError, optionNames, type ApiHandler } from '@homeostat/api'
import type { Client } from '../client/index.ts'
import type { PageCertificate } from '../pages/index.ts'
import type { MetricsRegistry, Tracing } from '../telemetry/index.ts'
import { webhookHandler, WebhookServer, type Webhook, type WebhookCaller } from '../webhook/index.ts'
import type { RunnableContext } from './runnable.ts'

/** Where a manager serves its webhooks, and with which certificate. */
export interface WebhooksOptions {
  /** 0 takes a free one. Default: 9443 in a Pod, a free one elsewhere. */
  readonly port?: number | undefined
  /** Default: all addresses in a Pod, `127.0.0.1` elsewhere. */
  readonly host?: string | undefined
  /**
   * Files with a certificate and its key, such as those of a Secret that cert-manager renews and the Pod mounts. They are read again every
   * ten seconds.
   */
  readonly tls?: PageCertificate | undefined
}

/** Gets the function that answers a manager's webhooks; the signal aborts when the manager stops. */
export type ServeWebhooks = (handler: ApiHandler, signal: AbortSignal) => void | Promise<void>

/** What webhooks need of the manager besides the context of a runnable. */
interface WebhooksEnvironment {
  readonly tracing: Tracing | undefined
  readonly serve: ServeWebhooks | undefined
  readonly clientFor: (caller: WebhookCaller) => Client
}

const OPTIONS = optionNames<WebhooksOptions>('manager.addWebhooks', { port: true, host: true, tls: true })

/** The webhooks of a manager, from its start to its end. */
export class ManagedWebhooks {
  readonly webhooks: readonly Webhook[]
  readonly #options: WebhooksOptions
  #server: WebhookServer | undefined
  #isServed = false

  /** Throws where two webhooks have the same path, or an option does not exist. */
  constructor(webhooks: readonly Webhook[], options: WebhooksOptions) {
    checkOptionNames(options, OPTIONS)
    webhookHandler(webhooks)
    this.webhooks = webhooks
    this.#options = options
  }

  /** Where they answer, without a path, while the port is open. */
  get url(): string | undefined {
    return this.#server?.url
  }

  /** Fails while the webhooks are not served. */
  readonly ready = (): void => {
    if (!this.#isServed && this.url === undefined)
      throw new HomeostatError('WEBHOOK_NOT_SERVED', 'the webhooks are not served yet: the port is not open')
  }

  /** Serves them until the context's signal aborts. */
  async run(context: RunnableContext, { tracing, serve, clientFor }: WebhooksEnvironment): Promise<void> {
    if (serve) {
      const { clock, log: logger, signal } = context
      const metrics = context.metrics as MetricsRegistry
      this.#isServed = true
      await serve(
        webhookHandler(this.webhooks, { clock, logger, metrics, tracing, client: clientFor }),
        signal,
      )
      return
    }
    const { tls } = this.#options
    if (!tls)
      throw new HomeostatError(
        'WEBHOOK_CERTIFICATE_MISSING',
        'manager.addWebhooks needs the option tls with the files of a certificate and its key',
      )
    this.#server = new WebhookServer(this.webhooks, { ...place(), ...this.#options, tls, tracing })
    await this.#server.run({ ...context, clientFor })
  }
}

/** Where webhooks are served by default. */
function place(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Pick<WebhooksOptions, 'port' | 'host'> {
  if (!env['KUBERNETES_SERVICE_HOST']) return { port: 0, host: '127.0.0.1' }
  // On the local cluster, where Pods share a machine, each has a loopback address of its own.
  return { port: 9443, host: env['HOMEOSTAT_POD_ADDRESS'] ?? '0.0.0.0' }
}
