import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.ts'
import type { Command } from './builds.ts'
import type { Options } from './options.ts'
import { processUsage } from './process-usage.ts'
import { percentile } from './statistics.ts'
import { update } from './widgets.ts'

/** The measurements of one run of one peer. A floor leaves out those of work that it does not do. */
export interface Measurement {
  /** From the start of the process until every object was reconciled once. */
  readonly seconds: number
  /** User and system time until then. */
  readonly cpuSeconds: number
  readonly residentBytes?: number | undefined
  /** After the idle time. */
  readonly idleResidentBytes?: number | undefined
  readonly peakResidentBytes?: number | undefined
  /** From the moment before the write is sent until its reconcile runs. */
  readonly latencyP50?: number | undefined
  readonly latencyP99?: number | undefined
  /** User and system time for one update, in milliseconds, while they come at an even pace. */
  readonly cpuMillisecondsPerUpdate?: number | undefined
  /** How many updates were seen by a reconcile, of how many. */
  readonly updatesSeen?: number | undefined
  readonly updatesSent?: number | undefined
  /** How long the server took to answer a write: what of the latency is not the peer's. */
  readonly writeP50?: number | undefined
  readonly writeP99?: number | undefined
  /** The load average when it began: whether it had the machine to itself. */
  readonly load?: number | undefined
}

interface MeasureOptions {
  readonly command: Command
  readonly kubeconfig: string
  readonly api: Api
  readonly options: Options
  readonly signal: AbortSignal
}

/** How long a peer may take for the first reconcile of every object. */
const FIRST_RECONCILES = 300_000

/** Starts a peer, takes it through all phases and ends it. */
export async function measurePeer(measure: MeasureOptions): Promise<Measurement> {
  const { command, options, signal } = measure
  const ended = new AbortController()
  const start = performance.now()
  const child = spawn(command.file, [...command.args, '--objects', String(options.objects)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, KUBECONFIG: measure.kubeconfig },
  })
  const errors = collectErrors(child)
  child.on('error', (error) => ended.abort(error))
  child.on('exit', (code, by) => {
    ended.abort(new Error(`the peer ended by itself (${by ?? `code ${code}`}): ${errors().slice(-2_000)}`))
  })
  try {
    return await phases(child, start, measure, AbortSignal.any([signal, ended.signal]))
  } catch (error) {
    // An abort says only that something ended; the reason says what.
    throw ended.signal.aborted && !signal.aborted ? ended.signal.reason : error
  } finally {
    await end(child)
  }
}

async function phases(
  child: ChildProcess,
  start: number,
  { api, options }: MeasureOptions,
  signal: AbortSignal,
): Promise<Measurement> {
  const pid = child.pid ?? 0
  const events = listen(child, signal)
  const [seconds, first] = await events('reconciled', FIRST_RECONCILES, () => [
    (performance.now() - start) / 1_000,
    processUsage(pid),
  ])

  await sleep(options.idleSeconds * 1_000, undefined, { signal })
  const idle = processUsage(pid)

  const writes = await update(api, {
    count: options.objects,
    perSecond: options.updatesPerSecond,
    seconds: options.updateSeconds,
    signal,
  })
  await sleep(1_000, undefined, { signal })
  const busy = processUsage(pid)

  child.stdin?.write('report\n')
  const latencies = await events('report', 30_000, (report) => report.latencies ?? [])
  return {
    seconds,
    cpuSeconds: first.cpuSeconds,
    residentBytes: first.residentBytes,
    idleResidentBytes: idle.residentBytes,
    peakResidentBytes: idle.peakResidentBytes,
    latencyP50: milliseconds(percentile(latencies, 0.5)),
    latencyP99: milliseconds(percentile(latencies, 0.99)),
    cpuMillisecondsPerUpdate: ((busy.cpuSeconds - idle.cpuSeconds) * 1_000) / writes.length,
    updatesSeen: latencies.length,
    updatesSent: writes.length,
    writeP50: milliseconds(percentile(writes, 0.5)),
    writeP99: milliseconds(percentile(writes, 0.99)),
  }
}

interface PeerEvent {
  readonly event: string
  readonly latencies?: readonly number[]
}

/**
 * Waits for events of the peer. What is to be read at that moment is read by `take`, before anything else
 * has its turn.
 */
function listen(child: ChildProcess, signal: AbortSignal) {
  const waiting = new Map<string, (event: PeerEvent) => void>()
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('{')) return
      const event = JSON.parse(line) as PeerEvent
      waiting.get(event.event)?.(event)
    })
  }
  return async <T>(name: string, timeout: number, take: (event: PeerEvent) => T): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const stop = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
    const abort = () => {
      reject(signal.aborted ? signal.reason : new Error(`no "${name}" after ${timeout / 1_000} s`))
    }
    stop.addEventListener('abort', abort, { once: true })
    waiting.set(name, (event) => resolve(take(event)))
    try {
      signal.throwIfAborted()
      return await promise
    } finally {
      stop.removeEventListener('abort', abort)
    }
  }
}

function collectErrors(child: ChildProcess): () => string {
  const chunks: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  return () => chunks.join('')
}

/** Closes its input, which asks it to end, and kills it when it does not. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const killing = setTimeout(() => child.kill('SIGKILL'), 3_000)
  child.stdin?.on('error', () => {})
  child.stdin?.end()
  await exited
  clearTimeout(killing)
}

function milliseconds(microseconds: number | undefined): number | undefined {
  return microseconds === undefined ? undefined : microseconds / 1_000
}
