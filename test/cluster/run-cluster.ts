import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const PROGRAM = join(root, 'packages/cluster/bin/homeostat-cluster.mjs')
const run = promisify(execFile)

/** Whether kubectl is on the PATH. In CI it must be. */
export const hasKubectl = ((): boolean => {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

if (!hasKubectl && process.env['CI']) throw new Error('CI needs kubectl on the PATH')

/** `homeostat-cluster` as a process of its own. */
export interface RunningCluster extends AsyncDisposable {
  readonly pid: number
  /** Where it was started, and where its data and its kubeconfig are unless the arguments say otherwise. */
  readonly folder: string
  readonly kubeconfig: string
  output(): string
  /** Resolves with the match once the output matches; rejects when the cluster ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends it a signal; resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
  readonly exited: Promise<number | null>
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
  let output = ''
  const waiting = new Set<() => void>()
  const exited = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      done(code)
      for (const check of waiting) check()
    })
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const check of waiting) check()
    })
  }
  return {
    pid: child.pid ?? -1,
    folder,
    kubeconfig,
    exited,
    output: () => output,
    end: (signal) => {
      child.kill(signal)
      return exited
    },
    printed: (pattern) =>
      new Promise((found, failed) => {
        const check = (): void => {
          const match = pattern.exec(output)
          if (!match && child.exitCode === null && child.signalCode === null) return
          waiting.delete(check)
          if (match) found(match)
          else failed(new Error(`the cluster ended before it printed ${String(pattern)}:\n${output}`))
        }
        waiting.add(check)
        check()
      }),
    kubectl: async (...words) => {
      const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder }
      return (await run('kubectl', words, { env, maxBuffer: 64 * 1024 * 1024 })).stdout
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT')
      await exited
      if (given === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}
