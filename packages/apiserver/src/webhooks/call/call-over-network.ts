import { Agent, type RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { inGoWords, type Endpoint } from '../../upstream/index.ts'
import type { CallWebhook, WebhookAnswer, WebhookCall } from './call-webhook.ts'
import { post } from './post.ts'
import { addressOf, type WebhookTarget } from './webhook.ts'

type ServiceTarget = Extract<WebhookTarget, { readonly service: unknown }>['service']

/** The most CA bundles whose connections are kept open. */
const MOST_AGENTS = 100

/** Finds an address of a Service. Throws an Error whose message says why there is none. */
export type ResolveService = (namespace: string, name: string, port: number) => Endpoint

/** Connects to an address of the cluster's own network. */
export type ServiceConnect = (
  address: string,
  port: number,
  signal?: AbortSignal,
) => Promise<{
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
}>

/**
 * Calls webhooks over HTTPS. The certificate is checked on every connection against the webhook's `caBundle`, or against the
 * machine's authorities where there is none. Connections are kept open.
 */
export class NetworkWebhooks {
  readonly #agents = new Map<string, Agent>()
  readonly #resolve: ResolveService
  readonly #connect: ServiceConnect | undefined

  constructor(resolve: ResolveService, connect?: ServiceConnect) {
    this.#resolve = resolve
    this.#connect = connect
  }

  readonly call: CallWebhook = async (call) => {
    const { target, timeoutSeconds } = call
    const address = `${addressOf(target)}?timeout=${timeoutSeconds}s`
    const url = new URL(address)
    try {
      return await this.#post(url, call)
    } catch (error) {
      throw new Error(`Post ${JSON.stringify(address)}: ${inGoWords(error, url)}`, { cause: error })
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  async #post(url: URL, { target, body, timeoutSeconds }: WebhookCall): Promise<WebhookAnswer> {
    const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
    const ca = target.caBundle === '' ? undefined : Buffer.from(target.caBundle, 'base64').toString()
    const route = 'service' in target ? await this.#routeTo(target.service, url, ca, signal) : undefined
    const agent = this.#agentFor(target.caBundle, ca)
    return post(url, body, { agent, signal, ...route, headers: { 'User-Agent': 'kube-apiserver-admission' } })
  }

  /** The connection of a request to a Service. The certificate must be for the name of the Service. */
  async #routeTo(
    { namespace, name, port }: ServiceTarget,
    { hostname }: URL,
    ca: string | undefined,
    signal: AbortSignal,
  ): Promise<RequestOptions> {
    const resolved = this.#resolve(namespace, name, port)
    if (!this.#connect) return { servername: hostname, port: resolved.port, lookup: always(resolved.address) }
    const connection = await this.#connect(resolved.address, resolved.port, signal)
    const socket = Duplex.fromWeb(connection)
    return {
      // Node calls `createConnection` only without an agent; `false` would create one.
      agent: undefined,
      createConnection: () => connectTls({ socket, servername: hostname, ca, allowPartialTrustChain: true }),
    }
  }

  #agentFor(caBundle: string, ca: string | undefined): Agent {
    const known = this.#agents.get(caBundle)
    if (known) return known
    // As in Go, a bundle may hold the serving certificate itself in place of its authority.
    const agent = new Agent({
      keepAlive: true,
      ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
    })
    const [oldest] = this.#agents.keys()
    if (this.#agents.size >= MOST_AGENTS && oldest !== undefined) {
      this.#agents.get(oldest)?.destroy()
      this.#agents.delete(oldest)
    }
    this.#agents.set(caBundle, agent)
    return agent
  }
}

function always(address: string): LookupFunction {
  return (_name, options, callback) => {
    const family = address.includes(':') ? 6 : 4
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
}
