import { Agent, request as httpsRequest } from 'node:https'
import { startControlPlane } from '../../test/kubernetes/control-plane.ts'

export interface RecordedAnswer {
  readonly code: number
  /** Parsed where it is JSON, text otherwise. */
  readonly body: unknown
}

/** A real kube-apiserver that is asked as its administrator. */
export interface RealServer extends AsyncDisposable {
  send(method: string, path: string, body?: unknown, type?: string): Promise<RecordedAnswer>
}

/** Starts a real kube-apiserver without controllers. Its files are removed at the end. */
export async function startRealServer(): Promise<RealServer> {
  const plane = await startControlPlane()
  await plane.settled()
  const agent = new Agent({ keepAlive: true, ca: plane.certificateAuthority })
  return {
    send(method, path, body, type = 'application/json') {
      const { promise, resolve, reject } = Promise.withResolvers<RecordedAnswer>()
      const headers: Record<string, string> = {
        Authorization: `Bearer ${plane.token}`,
        Accept: 'application/json',
      }
      if (body !== undefined) headers['Content-Type'] = type
      const outgoing = httpsRequest(`${plane.url}${path}`, { method, agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (text += part))
        response.on('error', reject)
        response.on('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json')
          resolve({ code: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
        })
      })
      outgoing.on('error', reject)
      outgoing.end(body === undefined ? undefined : JSON.stringify(body))
      return promise
    },
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await plane.stop()
    },
  }
}
