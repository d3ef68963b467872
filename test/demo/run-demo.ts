import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** A demo as a process of its own, as `npm run demo` starts it once the workspace is set up. */
export interface RunningDemo extends AsyncDisposable {
  readonly pid: number
  /** The folder that holds its kubeconfig. */
  readonly folder: string
  readonly kubeconfig: string
  /** All that it has printed so far. */
  output(): string
  /** Resolves with the match once the output matches; rejects when the demo ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Ends it as Ctrl-C does. */
  interrupt(): void
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>
}

/** Starts the demo on a free port with a folder of its own, so that several can run at once. */
export function runDemo(
  args: readonly string[] = [],
  folder = mkdtempSync(join(tmpdir(), 'homeostat-demo-')),
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
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } },
  )
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
    kubeconfig: join(folder, 'kubeconfig'),
    exited,
    output: () => output,
    interrupt: () => void child.kill('SIGINT'),
    printed: (pattern) =>
      new Promise((found, failed) => {
        const check = (): void => {
          const match = pattern.exec(output)
          if (!match && child.exitCode === null && child.signalCode === null) return
          waiting.delete(check)
          if (match) found(match)
          else failed(new Error(`the demo ended before it printed ${String(pattern)}:\n${output}`))
        }
        waiting.add(check)
        check()
      }),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
