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

/** Runs a cluster in the foreground until it ends. Returns its exit code. */
export function runCluster(home: ClusterHome, options: StartOptions): Promise<number> {
  const child = start(home, options, ['ignore', 'inherit', 'inherit'], false)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
    // It has its own process group, so that it gets the signal of Ctrl-C once: a second signal would end it without cleaning up.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => child.kill(signal))
  })
}

/** Starts a cluster that outlives this process. Resolves when it is ready; throws `CLUSTER_NOT_STARTED` with what it printed. */
export async function startInBackground(
  home: ClusterHome,
  options: StartOptions,
  clock: Clock,
): Promise<void> {
  const log = openSync(home.log, 'w', 0o600)
  const child = start(home, options, ['ignore', log, log], true)
  closeSync(log)
  let ended = false
  child.once('exit', () => (ended = true))
  child.once('error', () => (ended = true))
  while (!readFileSync(home.log, 'utf8').includes('Ready at')) {
    if (ended) {
      const printed = readFileSync(home.log, 'utf8').trim()
      throw new HomeostatError('CLUSTER_NOT_STARTED', `the cluster ${home.name} did not start: ${printed}`)
    }
    await clock.sleep(INTERVAL)
  }
  child.unref()
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
