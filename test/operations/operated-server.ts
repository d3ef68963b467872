import type { ApiHandler, ApiRequest } from '@homeostat/api'
import { ApiServer, type ApiServerOptions, type PortOptions } from '@homeostat/apiserver'
import { httpsHandler } from '../conformance/https-handler.ts'
import { startControlPlane } from '../kubernetes/control-plane.ts'

/** A server of a test's own, started with flags: ours in the project `ours`, a real kube-apiserver in `kubernetes`. */
export interface OperatedServer extends AsyncDisposable {
  readonly name: 'ours' | 'kubernetes'
  readonly url: string
  /** Sends a request as a user who may do everything, or as the bearer of the token that it carries. */
  readonly send: ApiHandler
  /** Sends one request and reads its answer to the end. */
  ask(method: ApiRequest['method'], target: string, options?: AskOptions): Promise<Asked>
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; text as it is. */
  readonly body?: unknown
}

export interface Asked {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Starts the server of the project: kube-apiserver with `flags`, ours with `options` and its port with `port`. */
export async function startOperated(
  flags: readonly string[],
  options: ApiServerOptions = {},
  port: PortOptions = {},
): Promise<OperatedServer> {
  if (process.env.HOMEOSTAT_TEST_SERVER === 'kubernetes') {
    const plane = await startControlPlane({ serverFlags: flags })
    await plane.settled()
    const { url, token, certificateAuthority: ca } = plane
    return operated('kubernetes', { url, token, ca }, () => plane.stop())
  }
  const server = await ApiServer.start({ enforceOwnerReferences: true, ...options })
  const { url, token, certificateAuthority: ca } = await server.listen(port)
  return operated('ours', { url, token, ca }, () => server.close())
}

/** A server at an address. */
export function operated(
  name: OperatedServer['name'],
  access: { readonly url: string; readonly token: string; readonly ca: string },
  end: () => Promise<void>,
): OperatedServer {
  const { send, close } = httpsHandler(access)
  return {
    name,
    url: access.url,
    send,
    async ask(method, target, { headers = {}, body } = {}) {
      const question = target.indexOf('?')
      const response = await send({
        method,
        path: question < 0 ? target : target.slice(0, question),
        query: new URLSearchParams(question < 0 ? '' : target.slice(question + 1)),
        headers: {
          accept: 'application/json',
          'user-agent': 'operations/1.0',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body:
          body === undefined
            ? undefined
            : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      })
      const chunks: Uint8Array[] = []
      if (response.body instanceof Uint8Array) chunks.push(response.body)
      else for await (const chunk of response.body) chunks.push(chunk)
      return { status: response.status, headers: response.headers, text: Buffer.concat(chunks).toString() }
    },
    async [Symbol.asyncDispose]() {
      close()
      await end()
    },
  }
}

/** Where the answers of the real server are kept. */
export function recorded(name: string): string {
  return new URL(`recorded/${name}.json`, import.meta.url).pathname
}

/** JSON as files of recorded answers hold it. */
export function lines(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
