import { HomeostatError, milliseconds, type Duration } from '@homeostat/api'
import type { Client } from '../client/index.ts'
import type { PolicyRule } from '../controller/index.ts'
import type { MetricsRegistry, Tracing } from '../telemetry/index.ts'
import {
  checkWebhooksOptions,
  SelfManagedWebhooks,
  webhookHandler,
  WebhookServer,
  type LiveCluster,
  type Webhook,
  type WebhookCaller,
  type WebhooksOptions,
} from '../webhook/index.ts'
import type { ServeWebhooks } from './manager-options.ts'
import type { Registration } from './registrations.ts'
import type { RunnableContext } from './runnable.ts'

/** The options of the manager that webhooks need. */
interface ServingOptions {
  readonly tracing: Tracing | undefined
  readonly serve: ServeWebhooks | undefined
  /** How long the manager waits at its end. */
  readonly gracefulShutdownTimeout: Duration | 'unlimited'
}

/** The parts of the manager that webhooks need besides the context of a runnable. */
interface WebhooksEnvironment extends ServingOptions {
  readonly clientFor: (caller: WebhookCaller) => Client
}

/** The name of the runnable that serves webhooks, and of its check. */
export const WEBHOOKS = 'webhooks'

/** How long a process in a Pod still accepts connections when it stops, in milliseconds. */
const SHUTDOWN_DELAY = 5000

/** The webhooks of a manager, from its start to its end. */
export class ManagedWebhooks {
  readonly webhooks: readonly Webhook[]
  readonly #options: WebhooksOptions
  readonly #own: SelfManagedWebhooks | undefined
  /** The same as in a Pod, for the role of the manifests, which are generated outside the Pod. */
  readonly #deployed: SelfManagedWebhooks | undefined
  #server: WebhookServer | undefined
  #isServed = false

  /** Throws where two webhooks have the same path, or options are not valid. `shared` are the parts of the manager. */
  constructor(
    webhooks: readonly Webhook[],
    given: WebhooksOptions,
    {
      lease,
      namespace,
      hasPort,
    }: { lease: string | undefined; namespace: string | undefined; hasPort: boolean },
  ) {
    checkWebhooksOptions(given)
    webhookHandler(webhooks)
    const options = { ...given, name: given.name ?? lease }
    this.webhooks = webhooks
    this.#options = options
    if (!hasPort || options.tls) return
    this.#own = new SelfManagedWebhooks(webhooks, options, inPod(options), namespace)
    this.#deployed = new SelfManagedWebhooks(webhooks, options, true, namespace)
  }

  /** The address of the webhooks without a path, while the port is open. */
  get url(): string | undefined {
    return this.#server?.url
  }

  /** Resolves when API servers call the webhooks; at once if this process does not tell them where the webhooks are. */
  get installed(): Promise<void> {
    return this.#own?.installed ?? Promise.resolve()
  }

  /** Fails while the webhooks are not served, or have no certificate. */
  readonly ready = (): void => {
    if (this.#isServed) return
    if (this.url !== undefined) return this.#server?.ready()
    const why = this.#own?.hasCertificate === false ? 'there is no certificate yet' : 'the port is not open'
    throw new HomeostatError('WEBHOOK_NOT_SERVED', `the webhooks are not served yet: ${why}`)
  }

  /** The runnable that serves them, and the controllers that keep their certificates, by name. */
  registrations(options: ServingOptions): readonly (readonly [name: string, Registration])[] {
    const serving: Registration = {
      what: 'the webhooks',
      rights: { rules: this.#deployed?.rules() ?? [] },
      mount: (environment) =>
        environment.runnable(
          WEBHOOKS,
          (context) =>
            this.#run(context, { ...options, clientFor: environment.webhookClient }, environment.live),
          { needLeaderElection: false },
        ),
    }
    const controllers = (this.#own?.controllers() ?? []).map((own): readonly [string, Registration] => [
      own.name,
      {
        what: `the controller ${own.name} of the webhooks`,
        mount: (environment) => environment.controller(own.controller(environment.live)),
      },
    ])
    return [[WEBHOOKS, serving], ...controllers]
  }

  /** The rights that they need in a Pod, in its own namespace. */
  namespaceRules(): PolicyRule[] {
    return this.#deployed?.namespaceRules() ?? []
  }

  /** Serves them until the context's signal aborts. */
  async #run(
    context: RunnableContext,
    { tracing, serve, clientFor, gracefulShutdownTimeout }: WebhooksEnvironment,
    cluster: LiveCluster,
  ): Promise<void> {
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
    const { tls, port, host } = { ...place(this.#options), ...this.#options }
    const certificate = tls ?? this.#own!.certificate(cluster, context.signal)
    const shutdownDelay = shutdownDelayOf(this.#options, gracefulShutdownTimeout)
    this.#server = new WebhookServer(this.webhooks, { port, host, tls: certificate, shutdownDelay, tracing })
    const closing = new AbortController()
    const close = async (): Promise<void> => {
      await this.#own?.stop(context, cluster)
      closing.abort(context.signal.reason)
    }
    context.signal.addEventListener('abort', () => void close(), { once: true })
    if (context.signal.aborted) await close()
    const onOpen = (url: string): void => this.#own?.opened(url)
    await this.#server.run({ ...context, signal: closing.signal, clientFor, onOpen })
  }
}

/** Whether this process runs in a Pod, or is configured to share its certificates as one in a Pod does. */
function inPod({ service, certificates }: WebhooksOptions): boolean {
  const isTold = service !== undefined || certificates?.secret !== undefined
  return isTold || Boolean(process.env['KUBERNETES_SERVICE_HOST'])
}

/** The delay in milliseconds. It leaves time for the requests that are under way at its end. */
function shutdownDelayOf(options: WebhooksOptions, timeout: Duration | 'unlimited'): number {
  const delay = milliseconds(options.shutdownDelay ?? (inPod(options) ? SHUTDOWN_DELAY : 0))
  return timeout === 'unlimited' ? delay : Math.min(delay, milliseconds(timeout) / 2)
}

/** Where webhooks are served by default. */
function place(options: WebhooksOptions): Pick<WebhooksOptions, 'port' | 'host'> {
  if (!inPod(options)) return { port: 0, host: '127.0.0.1' }
  // On the local cluster, where Pods share a machine, each has its own loopback address.
  return { port: 9443, host: process.env['HOMEOSTAT_POD_ADDRESS'] ?? '0.0.0.0' }
}
