import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { followOutput, type ProgramOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')

/** A demo as a process of its own, as `npm run demo` starts it once the workspace is set up. */
export interface RunningDemo extends AsyncDisposable, ProgramOutput {
  readonly pid: number
  /** The folder that holds its kubeconfig. */
  readonly folder: string
  readonly kubeconfig: string
  /** Ends it as Ctrl-C does. */
  interrupt(): void
}

/** Starts the demo on a free port with a folder of its own, so that several can run at once. */
export function runDemo(
  args: readonly string[] = [],
  folder = mkdtempSync(join(tmpdir(), 'homeostat-demo-')),
  env: Readonly<Record<string, string>> = {},
): RunningDemo {
  const child = spawn(
    process.execPath,
    [
      '--conditions=source',
      'scripts/demo/main.ts',
      '--dir',
      folder,
      ...(args.includes('--port') ? [] : ['--port', '0']),
      ...args,
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', ...env } },
  )
  const followed = followOutput(child, 'the demo')
  return {
    pid: child.pid ?? -1,
    folder,
    kubeconfig: join(folder, 'kubeconfig'),
    ...followed,
    interrupt: () => void child.kill('SIGINT'),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT')
      await followed.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
