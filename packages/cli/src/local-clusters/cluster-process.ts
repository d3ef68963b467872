import { spawn, type StdioOptions } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HomeostatError, type Clock } from '@homeostat/api'
import type { ClusterHome } from './cluster-home.ts'

/** How a cluster is started. */
export interface StartOptions {
  /** Default: the port of its last start, or any free port. */
  readonly port?: string | undefined
  /** Default: one. */
  readonly nodes?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** How often the state of a process is polled, in milliseconds. */
const INTERVAL = 50
/** How long a cluster may take to stop: it ends its Pods first, with their grace periods. */
const LONGEST_STOP = 60_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a cluster in the foreground until it ends. Returns its exit code. Throws `INTERRUPTED` if a signal ends it before it has begun. */
export function runCluster(home: ClusterHome, options: StartOptions): Promise<number> {
  // It has its own process group, so that it gets the signal of Ctrl-C once: a second signal would end it without cleaning up. This process
  // listens for signals before it starts the other: a signal in between would leave the other one running.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  const child = start(home, options, ['ignore', 'inherit', 'inherit'], false)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      // A cluster that has begun ends with a code, once it has cleaned up.
      if (SIGNALS.some((each) => each === signal)) reject(interruption(home))
      else resolve(code ?? 1)
    })
  })
}

/**
 * Starts a cluster that outlives this process. Resolves when it is ready. Throws `CLUSTER_NOT_STARTED` with what it printed, or
 * `INTERRUPTED` if a signal arrives before it is ready; it does not run then.
 */
export async function startInBackground(
  home: ClusterHome,
  options: StartOptions,
  clock: Clock,
): Promise<void> {
  let ended = false
  const asked = new AbortController()
  const interrupt = (): void => {
    asked.abort()
    child.kill('SIGTERM')
  }
  // Before the process starts: a signal must not leave it running.
  for (const signal of SIGNALS) process.on(signal, interrupt)
  const log = openSync(home.log, 'w', 0o600)
  const child = start(home, options, ['ignore', log, log], true)
  closeSync(log)
  child.once('exit', () => (ended = true))
  child.once('error', () => (ended = true))
  try {
    while (asked.signal.aborted || !readFileSync(home.log, 'utf8').includes('Ready at')) {
      if (ended && asked.signal.aborted) throw interruption(home)
      if (ended) {
        const printed = readFileSync(home.log, 'utf8').trim()
        throw new HomeostatError('CLUSTER_NOT_STARTED', `the cluster ${home.name} did not start: ${printed}`)
      }
      await clock.sleep(INTERVAL)
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
  child.unref()
}

function interruption({ name }: ClusterHome): HomeostatError {
  return new HomeostatError(
    'INTERRUPTED',
    `the start of the cluster ${name} was interrupted: nothing is left running`,
  )
}

/** Stops a cluster gracefully. Resolves when its process is gone; throws `CLUSTER_NOT_STOPPED` if it still runs after a minute. */
export async function stopCluster(home: ClusterHome, clock: Clock): Promise<void> {
  const { pid } = home.state()
  if (pid === undefined) return
  process.kill(pid, 'SIGTERM')
  const start = clock.monotonic()
  while (home.state().running) {
    if (clock.monotonic() - start > LONGEST_STOP) {
      throw new HomeostatError(
        'CLUSTER_NOT_STOPPED',
        `the process ${pid} of the cluster ${home.name} does not end: see homeostat cluster logs ${home.name}, or kill it`,
      )
    }
    await clock.sleep(INTERVAL)
  }
}

function start(
  home: ClusterHome,
  { port = '0', nodes, env }: StartOptions,
  stdio: StdioOptions,
  background: boolean,
) {
  // A cluster in the background keeps running when the npm that started this program ends.
  const { npm_config_user_agent: _, ...own } = env
  const child = spawn(
    process.execPath,
    [
      programFile(),
      `--data-dir=${home.dataDir}`,
      `--kubeconfig=${home.kubeconfig}`,
      `--config=${home.writeConfig()}`,
      `--port=${port}`,
      ...(nodes === undefined ? [] : [`--nodes=${nodes}`]),
    ],
    { cwd: home.folder, env: background ? own : { ...env }, stdio, detached: true },
  )
  if (child.pid !== undefined) home.setStarted({ pid: child.pid, background, nodes })
  return child
}

function programFile(): string {
  const module = fileURLToPath(import.meta.resolve('@homeostat/cluster'))
  return join(dirname(dirname(module)), 'bin', 'homeostat-cluster.mjs')
}
