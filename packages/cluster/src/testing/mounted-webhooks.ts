import type { AnyKind, ApiHandler } from '@homeostat/api'
import type { TestEnvironment } from '@homeostat/apiserver/testing'
import { webhookConfigurations, type Conversion, type ServeWebhooks, type Webhook } from 'homeostat'

/** The webhooks of an operator, which the server of a test calls in this process while the operator runs. */
export class MountedWebhooks {
  readonly #environment: TestEnvironment
  #isInstalled = false
  #handler: ApiHandler | undefined
  /** Fails the requests that the present process has not answered. */
  #fail: ((error: Error) => void) | undefined

  constructor(environment: TestEnvironment) {
    this.#environment = environment
  }

  /** Makes the server call the webhooks, the first time that there are any. */
  async install(webhooks: readonly Webhook[]): Promise<void> {
    if (this.#isInstalled || webhooks.length === 0) return
    this.#isInstalled = true
    const { webhookClientConfig: clientConfig } = this.#environment
    const configurations = webhookConfigurations(webhooks, { name: 'operator', clientConfig })
    await this.#environment.mountWebhooks((request) => this.#answer(request), configurations)
  }

  /** Lets a process of the operator answer until its signal aborts. It still answers the requests from before. */
  readonly serve: ServeWebhooks = (handler, signal) => {
    const underWay = new Set<(error: Error) => void>()
    const serving: ApiHandler = (request) =>
      new Promise((resolve, reject) => {
        underWay.add(reject)
        handler(request)
          .then(resolve, reject)
          .finally(() => underWay.delete(reject))
      })
    this.#fail = (error) => underWay.forEach((reject) => reject(error))
    this.#handler = serving
    signal.addEventListener(
      'abort',
      () => {
        if (this.#handler === serving) this.#handler = undefined
      },
      { once: true },
    )
  }

  /** The process is gone, and its connections with it. */
  kill(): void {
    this.#handler = undefined
    this.#fail?.(new Error('EOF'))
  }

  /** Answers for the operator. While none runs, connections are refused. */
  readonly #answer: ApiHandler = (request) =>
    this.#handler?.(request) ??
    Promise.reject(new Error('dial tcp operator.example.com:443: connect: connection refused'))
}

/** Makes the server serve kinds, and convert those that have a conversion among the webhooks. */
export async function installKinds(
  environment: TestEnvironment,
  kinds: readonly AnyKind[],
  webhooks: readonly Webhook[],
): Promise<void> {
  const conversions = webhooks.filter(isConversion)
  const nameOf = ({ plural, group }: AnyKind): string => `${plural}.${group}`
  const converted = new Set(conversions.map(({ stored }) => nameOf(stored)))
  const plain = kinds.filter((kind) => !converted.has(nameOf(kind)))
  for (const versions of Map.groupBy(plain, nameOf).values()) await environment.install(versions)
  const url = `${environment.webhookClientConfig.url}/convert`
  for (const { kinds: versions, stored } of conversions)
    await environment.install(versions, { stored: stored.version, conversion: { url } })
}

function isConversion(webhook: Webhook): webhook is Webhook & Conversion<AnyKind> {
  return webhook.endpoints.some(({ type }) => type === 'conversion') && 'stored' in webhook
}
