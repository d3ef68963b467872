import { HomeostatError, type ApiHandler } from '@homeostat/api'
import type { WebhookTarget } from '@homeostat/apiserver'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import { webhookConfigurations, webhookHandler, type Webhook, type WebhookEnvironment } from 'homeostat'

/** The address of the operator's webhooks in their configurations. Nothing is sent there. */
const ADDRESS = 'https://operator.example.com'

/** The webhooks of an operator, which the server of a test calls in this process while the operator runs. */
export class MountedWebhooks {
  readonly #webhooks: readonly Webhook[]
  #handler: ApiHandler | undefined
  #killed: PromiseWithResolvers<never> | undefined

  constructor(webhooks: readonly Webhook[] = []) {
    this.#webhooks = webhooks
  }

  /** Answers for the operator's address. Without an operator that is as if nothing listened there. */
  readonly handlerFor = (target: WebhookTarget): ApiHandler | undefined => {
    if (!('url' in target) || !target.url.startsWith(`${ADDRESS}/`)) return undefined
    return (
      this.#handler ??
      (() => Promise.reject(new Error('dial tcp operator.example.com:443: connect: connection refused')))
    )
  }

  /** Writes the configurations that make the server call the webhooks. */
  async install(environment: TestEnvironment): Promise<void> {
    const configurations = webhookConfigurations(this.#webhooks, {
      name: 'operator',
      clientConfig: { url: ADDRESS },
    })
    for (const configuration of Object.values(configurations)) {
      const plural = `${configuration.kind.toLowerCase()}s`
      const path = `/apis/${configuration.apiVersion}/${plural}`
      const { code, body } = await environment.prepare('POST', path, configuration)
      if (code === 201) continue
      throw new HomeostatError(
        'WEBHOOKS_NOT_INSTALLED',
        `the server refused the ${configuration.kind} of the operator: ${body.message}`,
      )
    }
  }

  /** Lets a process of the operator answer, by its own webhooks. */
  mount(webhooks: readonly Webhook[], environment: WebhookEnvironment): void {
    if (webhooks.length === 0) return
    const handler = webhookHandler(webhooks, environment)
    const killed = (this.#killed = Promise.withResolvers<never>())
    killed.promise.catch(() => {})
    this.#handler = (request) => Promise.race([handler(request), killed.promise])
  }

  /** The process has ended in good order. It answers what it was asked before. */
  unmount(): void {
    this.#handler = undefined
  }

  /** The process is gone, and the connections with it. */
  kill(): void {
    this.unmount()
    this.#killed?.reject(new Error('EOF'))
  }
}
