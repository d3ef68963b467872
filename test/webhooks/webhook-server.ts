import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { CertificateAuthority } from '../../packages/apiserver/src/certificates/certificates.ts'

/** The behaviour of a test's webhook for a review. */
export type Behaviour = (review: any) => Answer | Promise<Answer>

export interface Answer {
  readonly status?: number
  /** Sent as JSON; a string is sent as it is. */
  readonly body: unknown
}

/** Webhooks on a port of this machine, each at the path of its name. What they are sent is kept. */
export class WebhookServer implements AsyncDisposable {
  readonly port: number
  /** The authority of its certificate, in Base64 as configurations have it. */
  readonly caBundle: string
  /** Its certificate in Base64: a configuration may trust that one alone. */
  readonly certificate: string
  /** Every review, with the name of the webhook that got it, in the order in which they came. */
  readonly reviews: { readonly webhook: string; readonly review: any }[] = []
  readonly #server: Server

  private constructor(server: Server, caBundle: string, certificate: string) {
    this.certificate = certificate
    this.#server = server
    this.port = (server.address() as AddressInfo).port
    this.caBundle = caBundle
  }

  static async start(behaviours: Readonly<Record<string, Behaviour>>): Promise<WebhookServer> {
    const authority = await CertificateAuthority.create()
    const { certificate, key } = await authority.forServer('127.0.0.1')
    const server = createServer({ cert: certificate, key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const started = new WebhookServer(server, base64(authority.certificate), base64(certificate))
    server.on('request', (request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const webhook = (request.url ?? '').slice(1).split('?')[0] ?? ''
        void started.#answer(behaviours[webhook], webhook, Buffer.concat(parts).toString(), response)
      })
    })
    return started
  }

  async #answer(
    behaviour: Behaviour | undefined,
    webhook: string,
    text: string,
    response: ServerResponse,
  ): Promise<void> {
    const review = JSON.parse(text)
    this.reviews.push({ webhook, review })
    const { status = 200, body } = behaviour
      ? await behaviour(review)
      : { status: 404, body: 'no such webhook' }
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' })
    response.end(isText ? body : JSON.stringify(body))
  }

  url(webhook: string): string {
    return `https://127.0.0.1:${this.port}/${webhook}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A review that answers another one. */
export function reviewAnswer(review: any, response: object): Answer {
  return {
    body: {
      apiVersion: review.apiVersion,
      kind: 'AdmissionReview',
      response: { uid: review.request.uid, ...response },
    },
  }
}

export const allow: Behaviour = (review) => reviewAnswer(review, { allowed: true })

/** Denies with a Status. */
export function deny(status?: object): Behaviour {
  return (review) => reviewAnswer(review, { allowed: false, ...(status && { status }) })
}

/** Allows, and changes the object. */
export function patch(...operations: readonly object[]): Behaviour {
  return (review) =>
    reviewAnswer(review, {
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
    })
}
