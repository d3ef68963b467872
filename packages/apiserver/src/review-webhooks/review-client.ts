import { Agent } from 'node:https'
import { formatGoDuration, type Clock } from '@homeostat/api'
import { errorCode } from '../work/index.ts'
import { inGoWords } from '../upstream/index.ts'
import { objectOf, type JsonObject } from '../schema/index.ts'
import { checkReviewVersion, post, readAnswer } from '../webhooks/index.ts'
import type { RemoteService } from './kubeconfig.ts'

/** The kind of a review, by which the answer is checked. */
export interface Review {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The waits between tries, in milliseconds, as in kube-apiserver. Each is up to a fifth longer, at random. */
const WAITS = [500, 750, 1_125, 1_687]
const RETRIED = new Set([429, 500, 504])

/** Why a review has no answer, in the words of Go's client. */
class ReviewFailure extends Error {
  readonly isRetried: boolean

  constructor(message: string, isRetried: boolean) {
    super(message)
    this.isRetried = isRetried
  }
}

/**
 * Posts reviews to a service, over connections that it keeps open. It retries temporary failures of the service and
 * of the connection.
 */
export class ReviewClient implements Disposable {
  readonly #service: RemoteService
  readonly #agent: Agent
  readonly #timeout: number
  readonly #clock: Clock

  /** `timeout` is the time for one try in milliseconds. The clock measures the time that the network takes. */
  constructor(service: RemoteService, options: { readonly timeout: number; readonly clock: Clock }) {
    const { ca, certificate: cert, key, serverName: servername, isInsecure } = service
    this.#service = service
    this.#timeout = options.timeout
    this.#clock = options.clock
    this.#agent = new Agent({
      keepAlive: true,
      ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
      ...(cert !== undefined && { cert, key }),
      ...(servername !== undefined && { servername }),
      rejectUnauthorized: !isInsecure,
    })
  }

  /** The status of the answered review. Rejects with an Error in the words of Go's client. */
  async ask(review: Review, spec: object): Promise<JsonObject> {
    const { group, version, kind } = review
    const apiVersion = `${group}/${version}`
    const body = Buffer.from(
      JSON.stringify({ kind, apiVersion, metadata: {}, spec, status: emptyStatus(kind) }),
    )
    for (const wait of WAITS) {
      try {
        return await this.#try(review, body)
      } catch (error) {
        if (!(error instanceof ReviewFailure) || !error.isRetried) throw error
        await this.#clock.sleep(wait * (1 + this.#clock.random() * 0.2))
      }
    }
    return this.#try(review, body)
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }

  async #try(review: Review, body: Buffer): Promise<JsonObject> {
    const url = new URL(this.#service.url)
    url.searchParams.set('timeout', formatGoDuration(BigInt(this.#timeout) * 1_000_000n))
    const answer = await this.#post(url, body)
    const value = readReview(answer)
    checkReview(value, review)
    return objectOf(value['status'])
  }

  async #post(url: URL, body: Buffer): Promise<Parameters<typeof readAnswer>[0]> {
    const { authorization } = this.#service
    const headers = {
      'User-Agent': 'kube-apiserver',
      ...(authorization !== undefined && { Authorization: authorization }),
    }
    try {
      return await post(url, body, {
        agent: this.#agent,
        signal: AbortSignal.timeout(this.#timeout),
        headers,
      })
    } catch (error) {
      const isReset = errorCode(error) === 'ECONNRESET'
      throw new ReviewFailure(`Post ${JSON.stringify(url.href)}: ${inGoWords(error, url)}`, isReset)
    }
  }
}

/** Go writes the status of a review that has none yet. */
function emptyStatus(kind: string): object {
  return kind === 'TokenReview' ? { user: {} } : { allowed: false }
}

/** Fails where the answer is another review, in the words of Go's client. */
function checkReview(value: JsonObject, { group, version, kind }: Review): void {
  const [given, api] = [value['kind'], value['apiVersion']]
  const other =
    typeof api === 'string' ? /^auth(?:entication|orization)\.k8s\.io\/(v1(?:beta1)?)$/.exec(api) : null
  if (other && typeof given === 'string' && given !== kind && given.endsWith('Review')) {
    throw new ReviewFailure(
      `converting (${other[1]}.${given}) to (${version}.${kind}): unknown conversion`,
      false,
    )
  }
  checkReviewVersion(value, { group, version, kind })
}

function readReview(answer: Parameters<typeof readAnswer>[0]): JsonObject {
  try {
    return readAnswer(answer)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ReviewFailure(message, RETRIED.has(answer.status))
  }
}
