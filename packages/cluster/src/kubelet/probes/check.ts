import { connect } from 'node:net'
import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import { explain, httpGet, type ProbeTarget } from './http-get.ts'

/**
 * The result of one probe of a container. An `error` is a probe that could not run: it is reported, and does not
 * count. The message is that of a kubelet.
 */
export interface CheckResult {
  readonly outcome: 'success' | 'failure' | 'error'
  readonly message: string
}

const SUCCESS: CheckResult = { outcome: 'success', message: '' }

/** Probes a web server. Any status from 200 to 399 is a success. */
export async function checkHttp(
  action: DeepReadonly<CoreV1.HTTPGetAction>,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<CheckResult> {
  try {
    const status = await httpGet(action, target, 'probe', signal)
    if (status >= 200 && status < 400) return SUCCESS
    return { outcome: 'failure', message: `HTTP probe failed with statuscode: ${status}` }
  } catch (error) {
    return { outcome: 'failure', message: error instanceof Error ? error.message : String(error) }
  }
}

/** Probes a port by opening a connection. */
export function checkTcp(target: ProbeTarget, signal: AbortSignal): Promise<CheckResult> {
  return new Promise((resolve) => {
    const socket = connect({ host: target.host, port: target.port, signal })
    socket.on('connect', () => {
      resolve(SUCCESS)
      socket.destroy()
    })
    socket.on('error', (error) => {
      const message = signal.aborted
        ? `dial tcp ${target.shown}: i/o timeout`
        : explain(error, target, signal)
      resolve({ outcome: 'failure', message })
    })
  })
}
