import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { DeepReadonly } from '@homeostat/api'
import type { SocketAddress } from '../../network/index.ts'

/** The outcome of one look at a container; the message says what was wrong, in the words of a node. */
export interface CheckResult {
  readonly ok: boolean
  readonly message: string
}

/** Where a check goes, and what the API calls the place. */
export interface CheckTarget extends SocketAddress {
  readonly shown: string
}

/**
 * Asks a web server. Any answer from 200 to 399 is good. The request goes to the Pod's own address,
 * whatever host the probe names: nothing leaves the machine.
 */
export function checkHttp(
  action: DeepReadonly<CoreV1.HTTPGetAction>,
  target: CheckTarget,
  signal: AbortSignal,
): Promise<CheckResult> {
  const https = action.scheme === 'HTTPS'
  const path = action.path?.startsWith('/') ? action.path : `/${action.path ?? ''}`
  const url = `${https ? 'https' : 'http'}://${target.shown}${path}`
  const headers: Record<string, string> = {
    'user-agent': 'kube-probe/1.36',
    accept: '*/*',
    connection: 'close',
  }
  for (const header of action.httpHeaders ?? []) headers[header.name.toLowerCase()] = header.value
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      resolve({ ok: false, message: `Get ${JSON.stringify(url)}: ${explain(error, target, signal)}` })
    }
    try {
      const options = { host: target.host, port: target.port, path, headers, signal, agent: false as const }
      const request = https ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options)
      request.on('error', fail)
      request.on('response', (response) => {
        const status = response.statusCode ?? 0
        const ok = status >= 200 && status < 400
        resolve({ ok, message: ok ? '' : `HTTP probe failed with statuscode: ${status}` })
        request.destroy()
      })
      request.end()
    } catch (error) {
      // A header or a path that HTTP does not allow.
      fail(error as NodeJS.ErrnoException)
    }
  })
}

/** Opens a connection. */
export function checkTcp(target: CheckTarget, signal: AbortSignal): Promise<CheckResult> {
  return new Promise((resolve) => {
    const socket = connect({ host: target.host, port: target.port, signal })
    socket.on('connect', () => {
      resolve({ ok: true, message: '' })
      socket.destroy()
    })
    socket.on('error', (error) => resolve({ ok: false, message: explain(error, target, signal) }))
  })
}

function explain(error: NodeJS.ErrnoException, target: CheckTarget, signal: AbortSignal): string {
  if (signal.aborted) return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
  if (error.code === 'ECONNREFUSED') return `dial tcp ${target.shown}: connect: connection refused`
  return error.code === 'ECONNRESET' ? 'EOF' : error.message
}
