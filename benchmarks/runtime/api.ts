import { Agent, request } from 'node:https'
import type { ControlPlane } from '../../test/kubernetes/control-plane.ts'

/** The address and the credentials of a server. */
type Server = Pick<ControlPlane, 'url' | 'token' | 'certificateAuthority'>

/** Requests of the benchmark itself. It uses no client of any peer, so that it favours none. */
export class Api implements Disposable {
  readonly #server: Server
  readonly #agent: Agent

  constructor(server: Server, connections: number) {
    this.#server = server
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ca: server.certificateAuthority })
  }

  /** Resolves with the answer's text. Rejects with what the server said where that is not a success. */
  send(method: string, path: string, body?: unknown, contentType = 'application/json'): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const headers = { authorization: `Bearer ${this.#server.token}`, 'content-type': contentType }
    const url = `${this.#server.url}${path}`
    const asked = request(url, { method, headers, agent: this.#agent, timeout: 60_000 }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const { statusCode = 0 } = response
        if (statusCode < 300) resolve(text)
        else reject(new Error(`${method} ${path} was answered with ${statusCode}: ${text.slice(0, 500)}`))
      })
    })
    asked.on('timeout', () => asked.destroy(new Error(`${method} ${path} had no answer for a minute`)))
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}
