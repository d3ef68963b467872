import type { IncomingMessage } from 'node:http'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { DeepReadonly } from '@homeostat/api'
import type { SocketAddress } from '../../network/index.ts'

/** The target of a request, and its address in messages. */
export interface ProbeTarget extends SocketAddress {
  readonly shown: string
}

const MOST_REDIRECTS = 10

/**
 * Asks a web server, as a node does for probes (`probe`) and hooks (`lifecycle`): redirects within the same host are
 * followed. The request goes to the Pod's own address, whatever host the action names: nothing leaves the machine.
 * Resolves with the status code; rejects with a kubelet's message.
 */
export async function httpGet(
  action: DeepReadonly<CoreV1.HTTPGetAction>,
  target: ProbeTarget,
  purpose: 'probe' | 'lifecycle',
  signal: AbortSignal,
): Promise<number> {
  const scheme = action.scheme === 'HTTPS' ? 'https' : 'http'
  const path = action.path?.startsWith('/') ? action.path : `/${action.path ?? ''}`
  const given = (action.httpHeaders ?? []).map(({ name, value }) => [name.toLowerCase(), value] as const)
  const headers = {
    host: target.shown,
    'user-agent': `kube-${purpose}/1.36`,
    accept: '*/*',
    connection: 'close',
    ...Object.fromEntries(given),
  }
  let url = `${scheme}://${target.shown}${path}`
  for (let redirects = 0; ; redirects++) {
    const { statusCode = 0, headers: answered } = await ask(url, target, headers, signal)
    const next = statusCode >= 300 && statusCode < 400 && localRedirect(url, answered.location)
    if (!next) return statusCode
    if (redirects === MOST_REDIRECTS)
      throw new Error(`Get ${JSON.stringify(url)}: stopped after 10 redirects`)
    url = next
  }
}

function ask(
  url: string,
  target: ProbeTarget,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      reject(new Error(`Get ${JSON.stringify(url)}: ${explain(error, target, signal)}`))
    }
    try {
      const { protocol, pathname, search } = new URL(url)
      const path = `${pathname}${search}`
      const options = { host: target.host, port: target.port, path, headers, signal, agent: false as const }
      const request =
        protocol === 'https:'
          ? process.getBuiltinModule('node:https').request({ ...options, rejectUnauthorized: false })
          : process.getBuiltinModule('node:http').request(options)
      request.on('error', fail)
      request.on('response', (response) => {
        resolve(response)
        request.destroy()
      })
      request.end()
    } catch (error) {
      // A header or a path that HTTP does not allow.
      fail(error as NodeJS.ErrnoException)
    }
  })
}

/** Where a redirect leads, if that is the same host and port. */
function localRedirect(from: string, location: string | undefined): string | undefined {
  const here = new URL(from)
  const there = location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined
  return there?.host === here.host ? there.href : undefined
}

/** The error as Go's client words it. */
export function explain(error: NodeJS.ErrnoException, target: ProbeTarget, signal: AbortSignal): string {
  if (signal.aborted) return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
  if (error.code === 'ECONNREFUSED') return `dial tcp ${target.shown}: connect: connection refused`
  return error.code === 'ECONNRESET' ? 'EOF' : error.message
}
