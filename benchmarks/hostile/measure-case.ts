import { fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { startCluster } from '../cluster/cluster-process.ts'
import { processUsage } from '../runtime/process-usage.ts'
import type { HostileCase } from './hostile-case.ts'
import type { Silence } from './prober.ts'

const PROBER = join(import.meta.dirname, 'prober.ts')

/** The measurements of a case. */
export interface Finding {
  readonly group: string
  readonly title: string
  /** The longest time without an answer, in milliseconds. */
  readonly silence: number
  /** By how much the prober itself was late at most, in milliseconds. */
  readonly late: number
  readonly answers: number
  /** The largest answer, in bytes. */
  readonly answer: number | undefined
  /** Resident memory of the cluster at the end, in MB. */
  readonly memory: number
  readonly load: number
  readonly note: string
}

/** Runs a case on a cluster of its own while a prober, a third process, asks whether the cluster lives. */
export async function measureCase(
  program: string,
  hostile: HostileCase,
  seconds: number,
  signal: AbortSignal,
): Promise<Finding> {
  const { group, title } = hostile
  const load = loadavg()[0] ?? 0
  await using cluster = await startCluster(program, signal)
  await using prober = await startProber(cluster.kubeconfig, signal)
  await hostile.prepare?.(cluster, signal)
  await prober.begin()
  let outcome: { readonly answer?: number | undefined; readonly note: string }
  try {
    outcome = await hostile.run(cluster, seconds, signal)
  } catch (error) {
    signal.throwIfAborted()
    outcome = { note: `FAILED: ${error instanceof Error ? error.message : String(error)}`.slice(0, 200) }
  }
  const { longest, late, answers } = await prober.end()
  const memory = processUsage(cluster.pid).residentBytes / 1e6
  return {
    group,
    title,
    silence: longest,
    late,
    answers,
    answer: outcome.answer,
    memory,
    load,
    note: outcome.note,
  }
}

interface Prober extends AsyncDisposable {
  begin(): Promise<void>
  end(): Promise<Silence>
}

async function startProber(kubeconfig: string, signal: AbortSignal): Promise<Prober> {
  const child = fork(PROBER, [kubeconfig], {
    execArgv: process.execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const stop = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const told = async (): Promise<unknown> => {
    const [message] = (await once(child, 'message', { signal })) as [unknown]
    return message
  }
  await told()
  return {
    async begin() {
      child.send('begin')
      await told()
    },
    async end() {
      child.send('end')
      return (await told()) as Silence
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', stop)
      stop()
      await exited
    },
  }
}
