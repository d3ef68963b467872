import { ConfigMap, Deployment, Pod } from '@homeostat/api/kinds'
import { processUsage } from '../runtime/process-usage.ts'
import { median } from '../runtime/statistics.ts'
import { startCluster, type ClusterProcess } from './cluster-process.ts'
import type { Measure, Options } from './options.ts'
import { simulatedDay } from './simulated-day.ts'

/** A number with its aim. */
export interface Finding {
  readonly what: string
  readonly value: number
  readonly unit: 'ms' | 's' | '%' | 'MB'
  readonly below: number
  /** A further remark. */
  readonly note?: string | undefined
}

const NAMESPACE = 'default'
const TIMEOUT = 120_000

/** Measures the cluster that the program starts. */
type Measurement = (program: string, options: Options, signal: AbortSignal) => Promise<Finding>

/** Each in a cluster of its own. */
export const measurements: Readonly<Record<Measure, Measurement>> = {
  async start(program, { starts }, signal) {
    const times: number[] = []
    const cpu: number[] = []
    for (let round = 0; round < starts; round++) {
      const cluster = await startCluster(program, signal)
      times.push(cluster.readyAfter)
      cpu.push(processUsage(cluster.pid).cpuSeconds)
      const code = await cluster.stop()
      if (code !== 0) throw new Error(`the cluster ended with ${code} on Ctrl-C`)
    }
    const note = `${(median(cpu) ?? 0).toFixed(2)} s of CPU; the fastest ${Math.min(...times).toFixed(0)} ms`
    return { what: 'ready from start', value: median(times) ?? 0, unit: 'ms', below: 1_000, note }
  },

  async one(program, { starts }, signal) {
    await using cluster = await startCluster(program, signal)
    const times: number[] = []
    const before = processUsage(cluster.pid).cpuSeconds
    for (let round = 0; round < starts; round++) {
      times.push(await deploy(cluster, `one-${round}`, 'bench/process', 1, signal))
    }
    const cpu = (processUsage(cluster.pid).cpuSeconds - before) / starts
    return {
      what: 'a Deployment of one process available',
      value: median(times) ?? 0,
      unit: 'ms',
      below: 500,
      note: `${(cpu * 1_000).toFixed(0)} ms of CPU each`,
    }
  },

  async many(program, { replicas }, signal) {
    await using cluster = await startCluster(program, signal)
    const took = await deploy(cluster, 'many', 'bench/process', replicas, signal)
    return {
      what: `a Deployment of ${replicas} processes available`,
      value: took / 1_000,
      unit: 's',
      below: 10,
      note: cpuNote(cluster),
    }
  },

  async modules(program, { modules }, signal) {
    await using cluster = await startCluster(program, signal)
    const took = await deploy(cluster, 'modules', 'bench/module', modules, signal)
    const pods = await cluster.client.list(Pod, { namespace: NAMESPACE })
    const ready = pods.filter(isReady).length
    if (ready !== modules) throw new Error(`${ready} of ${modules} Pods are Ready`)
    return {
      what: `${modules} Pods of a module Ready`,
      value: took / 1_000,
      unit: 's',
      below: 60,
      note: cpuNote(cluster),
    }
  },

  async idle(program, { idleSeconds }, signal) {
    await using cluster = await startCluster(program, signal)
    await deploy(cluster, 'idle', 'bench/process', 10, signal)
    // Work that the start left over, such as compiling hot functions, is not idleness.
    await pause(5_000, signal)
    const [before, started] = [processUsage(cluster.pid).cpuSeconds, performance.now()]
    await pause(idleSeconds * 1_000, signal)
    const seconds = (performance.now() - started) / 1_000
    const share = ((processUsage(cluster.pid).cpuSeconds - before) / seconds) * 100
    return {
      what: `idle CPU over ${idleSeconds} s, with 10 Pods`,
      value: share,
      unit: '%',
      below: 1,
      note: memoryNote(cluster),
    }
  },

  async garbage(program, { garbage }, signal) {
    await using cluster = await startCluster(program, signal)
    const { client } = cluster
    const owner = await client.create(ConfigMap, { metadata: { namespace: NAMESPACE, name: 'owner' } })
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }]
    for (let index = 0; index < garbage; index += 100) {
      signal.throwIfAborted()
      const names = Array.from({ length: Math.min(100, garbage - index) }, (_, i) => `garbage-${index + i}`)
      await Promise.all(
        names.map((name) =>
          client.create(ConfigMap, { metadata: { namespace: NAMESPACE, name, ownerReferences } }),
        ),
      )
    }
    const started = performance.now()
    await client.delete(ConfigMap, { namespace: NAMESPACE, name: 'owner' })
    const left = async (): Promise<boolean> => {
      const objects = await client.list(ConfigMap, { namespace: NAMESPACE })
      return objects.some(({ metadata }) => metadata.ownerReferences !== undefined)
    }
    await until(async () => !(await left()), 100, signal)
    const value = (performance.now() - started) / 1_000
    return {
      what: `${garbage.toLocaleString('en')} objects collected`,
      value,
      unit: 's',
      below: 20,
      note: cpuNote(cluster),
    }
  },

  async log(program, { logMegabytes }, signal) {
    await using cluster = await startCluster(program, signal)
    const bytes = logMegabytes * 1_024 * 1_024
    await cluster.client.create(Pod, {
      metadata: { namespace: NAMESPACE, name: 'flood' },
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'flood', image: 'bench/flood', env: [{ name: 'BYTES', value: String(bytes) }] }],
      },
    })
    const key = { namespace: NAMESPACE, name: 'flood' }
    await until(async () => (await cluster.client.get(Pod, key))?.status.phase !== 'Pending', 20, signal)
    const before = processUsage(cluster.pid).residentBytes
    const started = performance.now()
    const { heard, most } = await followLog(cluster, signal)
    const seconds = (performance.now() - started) / 1_000
    if (heard < bytes) throw new Error(`${heard} of ${bytes} bytes of the log arrived`)
    const note = `${(bytes / 1e6 / seconds).toFixed(0)} MB/s; at most ${megabytes(most)} MB resident`
    return {
      what: `memory that ${logMegabytes} MiB of log add`,
      value: (most - before) / 1e6,
      unit: 'MB',
      below: 150,
      note,
    }
  },

  'quiet-day': async () => {
    const value = (await simulatedDay(undefined)) / 1_000
    return { what: 'a simulated day without work', value, unit: 's', below: 0.2 }
  },

  'cron-day': async () => {
    const value = (await simulatedDay('*/10 * * * *')) / 1_000
    return { what: 'a simulated day of a CronJob every ten minutes', value, unit: 's', below: 2 }
  },
}

/** Creates a Deployment and waits until all of it is available; gives the milliseconds. */
async function deploy(
  { client }: ClusterProcess,
  name: string,
  image: string,
  replicas: number,
  signal: AbortSignal,
): Promise<number> {
  const labels = { app: name }
  const started = performance.now()
  await client.create(Deployment, {
    metadata: { namespace: NAMESPACE, name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
    },
  })
  const available = async (): Promise<boolean> => {
    const found = await client.getOrThrow(Deployment, { namespace: NAMESPACE, name })
    return found.status.availableReplicas === replicas
  }
  await until(available, replicas > 10 ? 50 : 2, signal)
  return performance.now() - started
}

/** Follows the log to its end; counts it, and looks at the cluster's memory on the way. */
async function followLog(
  { transport, pid }: ClusterProcess,
  signal: AbortSignal,
): Promise<{ heard: number; most: number }> {
  const { status, body } = await transport.send({
    method: 'GET',
    path: `/api/v1/namespaces/${NAMESPACE}/pods/flood/log`,
    query: new URLSearchParams({ follow: 'true' }),
    headers: {},
    signal,
  })
  if (status !== 200) throw new Error(`the log was answered with ${status}`)
  let [heard, most, next] = [0, 0, 0]
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    heard += chunk.length
    if (heard < next) continue
    next = heard + 4 * 1_024 * 1_024
    most = Math.max(most, processUsage(pid).residentBytes)
  }
  return { heard, most: Math.max(most, processUsage(pid).residentBytes) }
}

async function until(reached: () => Promise<boolean>, every: number, signal: AbortSignal): Promise<void> {
  const end = performance.now() + TIMEOUT
  while (!(await reached())) {
    if (performance.now() > end) throw new Error(`not reached within ${TIMEOUT / 1_000} s`)
    await pause(every, signal)
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
}

function isReady({ status }: Pod): boolean {
  return status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
}

function cpuNote({ pid }: ClusterProcess): string {
  return `${processUsage(pid).cpuSeconds.toFixed(1)} s of CPU with its start; ${memoryText(pid)}`
}

function memoryNote({ pid }: ClusterProcess): string {
  return memoryText(pid)
}

function memoryText(pid: number): string {
  return `${megabytes(processUsage(pid).residentBytes)} MB resident`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
