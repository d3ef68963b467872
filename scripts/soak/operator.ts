/** The operator whose memory is watched: a manager with one controller, in a process of its own. */
import process from 'node:process'
import { controller, createLogger, loadConfig, Manager, SystemClock } from 'homeostat'
import type { Answer, Question } from './conversation.ts'
import { Sample } from './sample.ts'

/** Latencies are counted in milliseconds, the last for all that took longer: memory must not grow with them. */
const latencies = new Uint32Array(10_001)
let reconciles = 0
let failures = 0
/** Each of these numbers fails once, so that retries are part of what is tried. */
const FAILS_ONCE = 200
const MEASURED_FROM = Number(process.argv[3])
const failed = new Set<number>()

const samples = controller('samples')
  .for(Sample)
  .reconcile(async (request, { client, clock }) => {
    reconciles++
    const sample = await client.get(Sample, request)
    if (!sample) return
    const { number, writtenAt } = sample.spec
    if (number % FAILS_ONCE === 0 && sample.status?.number !== number && !failed.delete(number)) {
      failed.add(number)
      failures++
      throw new Error(`${number} fails once`)
    }
    if (sample.status?.number === number) return
    // Samples from before the start, and those that failed once and wait for a retry, are not counted for the latency.
    if (number % FAILS_ONCE !== 0 && number >= MEASURED_FROM) {
      const latency = Math.max(0, Math.round(clock.now() - writtenAt))
      latencies[Math.min(latency, latencies.length - 1)]!++
    }
    await client.status.apply(Sample, request, { number })
  })

const clock = new SystemClock()
const stop = new AbortController()
const manager = new Manager({
  config: loadConfig({ kubeconfig: process.argv[2] }),
  // Failures are part of the soak, so of the log only its size would be of interest.
  logger: createLogger({ format: 'json', clock, level: 'error', write: () => {} }),
  metrics: { port: 0 },
}).add(samples)

process.on('disconnect', () => stop.abort())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('message', ({ ask }: Question) => {
  if (ask === 'stop') stop.abort()
  else if (ask === 'memory') answer({ type: 'memory', ...memory() })
  else answer({ type: 'tally', tally: { reconciles, failures, latency: percentiles() } })
})
void manager.synced.then(() => answer({ type: 'ready' }))
await manager.start({ signal: stop.signal })
if (process.connected) process.disconnect()

function answer(answer: Answer): void {
  if (process.connected) process.send?.(answer)
}

function memory() {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return { heap: heapUsed, resident: rss, cpuSeconds: (user + system) / 1e6 }
}

function percentiles(): { p50: number; p99: number } {
  const total = latencies.reduce((sum, count) => sum + count, 0)
  const at = (part: number): number => {
    let left = part * total
    return latencies.findIndex((count) => (left -= count) <= 0)
  }
  return { p50: at(0.5), p99: at(0.99) }
}
