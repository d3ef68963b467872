import { spawn, type StdioOptions } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HomeostatError, type Clock } from '@homeostat/api'
import type { ClusterHome } from './cluster-home.ts'

/** How a cluster is started. */
export interface StartOptions {
  /** Default: that of the last time, or any that is free. */
  readonly port?: string | undefined
  /** Default: one. */
  readonly nodes?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** How often it looks whether a process has done something. */
const INTERVAL = 50
/** A cluster ends its Pods first: they get their grace period. */
const LONGEST_STOP = 60_000

/** Runs a cluster in the foreground until it ends. Gives its exit code. */
export function runCluster(home: ClusterHome, options: StartOptions): Promise<number> {
  const child = start(home, options, ['ignore', 'inherit', 'inherit'], false)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
    // It has a group of its own, so that Ctrl-C reaches it once: a second signal would end it at once.
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

/** Ends a cluster in good order. Resolves when its process is gone; throws `CLUSTER_NOT_STOPPED` where it is not after a minute. */
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
  // A cluster in the background does not end with the npm that started this program.
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
