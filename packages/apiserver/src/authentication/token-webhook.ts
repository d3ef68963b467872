import { createHash } from 'node:crypto'
import { checkOptionNames, optionNames, SystemClock, type Clock } from '@homeostat/api'
import { authenticated, type TokenReading } from '../auth/index.ts'
import { ExpiringCache, readKubeconfig, ReviewClient } from '../review-webhooks/index.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../schema/index.ts'

/** A webhook that answers which user a token belongs to, by a TokenReview. */
export interface TokenWebhookOptions {
  /** The path of the kubeconfig that says where it is. */
  readonly kubeconfig: string
  /** The version of TokenReview that the server sends to it. Default: v1. */
  readonly version?: 'v1' | 'v1beta1' | undefined
  /** How long its answers are kept, in milliseconds. Default: two minutes, as in kube-apiserver. */
  readonly cacheLifetime?: number | undefined
}

const OPTIONS = optionNames<TokenWebhookOptions>('ApiServer.start, tokenWebhook', {
  kubeconfig: true,
  version: true,
  cacheLifetime: true,
})

const TIMEOUT = 30_000
const LIFETIME = 120_000
/** The shortest time for which the answer about a known user is kept, as in kube-apiserver. */
const SHORTEST_LIFETIME = 10_000
const MOST_ANSWERS = 8_192

/** The answer about a token; undefined where it belongs to no user whom the webhook knows. */
type Answer = { readonly reading: TokenReading | undefined }

/**
 * Finds the users of tokens by a webhook, and keeps its answers for a time. Requests that send the same token at
 * the same time share one call.
 */
export class TokenWebhook implements Disposable {
  readonly #client: ReviewClient
  readonly #version: 'v1' | 'v1beta1'
  readonly #lifetime: number
  readonly #clock: Clock
  /** The audiences that a token is for where the webhook names none. */
  readonly #ownAudiences: readonly string[]
  readonly #answers: ExpiringCache<Answer>
  readonly #pending = new Map<string, Promise<Answer>>()

  private constructor(
    client: ReviewClient,
    options: TokenWebhookOptions,
    clock: Clock,
    audiences: readonly string[],
  ) {
    this.#client = client
    this.#version = options.version ?? 'v1'
    this.#lifetime = options.cacheLifetime ?? LIFETIME
    this.#clock = clock
    this.#ownAudiences = audiences
    this.#answers = new ExpiringCache(() => clock.now(), MOST_ANSWERS)
  }

  /** Reads the kubeconfig. Fails with `WEBHOOK_KUBECONFIG_INVALID`. */
  static async open(
    options: TokenWebhookOptions,
    { clock, audiences }: { readonly clock: Clock; readonly audiences: readonly string[] },
  ): Promise<TokenWebhook> {
    checkOptionNames(options, OPTIONS)
    const service = await readKubeconfig('tokenWebhook.kubeconfig', options.kubeconfig)
    // The network takes real time, also under a simulated clock.
    const client = new ReviewClient(service, { timeout: TIMEOUT, clock: new SystemClock() })
    return new TokenWebhook(client, options, clock, audiences)
  }

  async read(token: string, audiences: readonly string[]): Promise<TokenReading | undefined> {
    // The tokens themselves are not kept.
    const key = createHash('sha256')
      .update(JSON.stringify([token, audiences]))
      .digest('base64')
    const known = this.#answers.get(key)
    if (known) return known.reading
    let pending = this.#pending.get(key)
    if (!pending) {
      pending = this.#ask(token, audiences).finally(() => this.#pending.delete(key))
      this.#pending.set(key, pending)
    }
    const answer = await pending
    const { user, problem } = answer.reading ?? {}
    if (problem === undefined) {
      this.#answers.set(key, answer, user ? Math.max(this.#lifetime, SHORTEST_LIFETIME) : this.#lifetime)
    }
    return answer.reading
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]()
  }

  async #ask(token: string, audiences: readonly string[]): Promise<Answer> {
    // A simulated clock stands still until the answer is there.
    using _ = this.#clock.busy('asking an authentication webhook')
    try {
      const review = { group: 'authentication.k8s.io', version: this.#version, kind: 'TokenReview' }
      return { reading: this.#readingOf(await this.#client.ask(review, { token, audiences }), audiences) }
    } catch (error) {
      return { reading: { problem: error instanceof Error ? error.message : String(error) } }
    }
  }

  #readingOf(status: JsonObject, wanted: readonly string[]): TokenReading | undefined {
    const given = listOf(status['audiences']).map(textOf)
    const audiences = wanted.filter((one) => (given.length > 0 ? given : this.#ownAudiences).includes(one))
    if (audiences.length === 0) return undefined
    if (status['authenticated'] !== true) {
      const problem = textOf(status['error'] ?? '')
      return problem === '' ? undefined : { problem }
    }
    const { username, uid, groups, extra } = objectOf(status['user'])
    const user = {
      name: textOf(username ?? ''),
      uid: textOf(uid ?? '') || undefined,
      groups: listOf(groups).map(textOf),
      extra: Object.fromEntries(
        Object.entries(objectOf(extra)).map(([name, values]) => [name, listOf(values).map(textOf)]),
      ),
    }
    return { user: authenticated(user), audiences }
  }
}
