import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ControlPlane } from '../../test/kubernetes/control-plane.ts'
import type { Measurement } from './measure-peer.ts'
import { processUsage } from './process-usage.ts'
import { WIDGETS_PATH } from './widgets.ts'

/** Measures the cost of the server alone: a floor under every peer. The answer is discarded unread. */
export interface Floor {
  readonly title: string
  measure(server: ControlPlane, certificateFile: string, signal: AbortSignal): Promise<Measurement>
}

const INITIAL_EVENTS_END = Buffer.from('k8s.io/initial-events-end')

export const floors: Readonly<Record<'curl-list' | 'curl-watch-list', Floor>> = {
  'curl-list': {
    title: 'curl, one list',
    async measure(server, certificateFile, signal) {
      const start = performance.now()
      const child = curl(server, certificateFile, WIDGETS_PATH, signal)
      // The process is looked at now and then, since its time cannot be read once it is gone.
      let cpuSeconds = 0
      let looked = start
      child.stdout.on('data', () => {
        if (child.pid === undefined || performance.now() - looked < 20) return
        looked = performance.now()
        cpuSeconds = lastKnown(child.pid, cpuSeconds)
      })
      const [code] = await once(child, 'close')
      if (code !== 0) throw new Error(`curl ended with code ${code}`)
      return { seconds: (performance.now() - start) / 1_000, cpuSeconds }
    },
  },
  'curl-watch-list': {
    title: 'curl, watch-list',
    async measure(server, certificateFile, signal) {
      const query =
        'watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan'
      const start = performance.now()
      const child = curl(server, certificateFile, `${WIDGETS_PATH}?${query}`, signal)
      const { promise, resolve, reject } = Promise.withResolvers<Measurement>()
      child.on('error', reject)
      child.on('close', (code) => reject(new Error(`curl ended with code ${code} before the list did`)))
      let tail: Buffer = Buffer.alloc(0)
      child.stdout.on('data', (chunk: Buffer) => {
        // The mark may be cut in two.
        const seen = Buffer.concat([tail, chunk])
        tail = seen.subarray(-INITIAL_EVENTS_END.length)
        if (!seen.includes(INITIAL_EVENTS_END)) return
        const seconds = (performance.now() - start) / 1_000
        resolve({ seconds, cpuSeconds: processUsage(child.pid ?? 0).cpuSeconds })
      })
      try {
        return await promise
      } finally {
        child.kill('SIGKILL')
      }
    },
  },
}

function curl(server: ControlPlane, certificateFile: string, path: string, signal: AbortSignal) {
  // Under its own name curl gets indented JSON, which is twice as long.
  const name = ['--user-agent', 'homeostat-benchmarks']
  const args = ['--silent', '--show-error', '--fail', '--no-buffer', ...name, '--cacert', certificateFile]
  const child = spawn('curl', [...args, '--header', '@-', `${server.url}${path}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
    signal,
  })
  // By standard input, since everyone on the machine can read a command line.
  child.stdin.end(`authorization: Bearer ${server.token}\n`)
  return child
}

function lastKnown(pid: number, before: number): number {
  try {
    return processUsage(pid).cpuSeconds
  } catch {
    return before
  }
}
