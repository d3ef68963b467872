import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { followOutput, type ProgramOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')
const PROGRAM = join(root, 'packages/cluster/bin/homeostat-cluster.mjs')
const run = promisify(execFile)

/** `homeostat-cluster` as a process of its own. */
export interface RunningCluster extends AsyncDisposable, ProgramOutput {
  readonly pid: number
  /** Where it was started, and where its data and its kubeconfig are unless the arguments say otherwise. */
  readonly folder: string
  readonly kubeconfig: string
  /** Sends it a signal; resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Runs kubectl on it; gives what it prints. */
  kubectl(...args: string[]): Promise<string>
}

/** Starts a cluster on a free port, in a folder of its own unless one is given. */
export function runCluster(args: readonly string[] = [], given?: string): RunningCluster {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'homeostat-run-cluster-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const all = ['--conditions=source', PROGRAM, `--kubeconfig=${kubeconfig}`]
  if (!args.some((arg) => arg.startsWith('--port'))) all.push('--port=0')
  const child = spawn(process.execPath, [...all, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const followed = followOutput(child, 'the cluster')
  return {
    pid: child.pid ?? -1,
    folder,
    kubeconfig,
    ...followed,
    end: (signal) => {
      child.kill(signal)
      return followed.exited
    },
    kubectl: async (...words) => {
      const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder }
      return (await run('kubectl', words, { env, maxBuffer: 64 * 1024 * 1024 })).stdout
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT')
      await followed.exited
      if (given === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
