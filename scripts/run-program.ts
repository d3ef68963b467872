import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * Runs a program of the workspace in the repository's folder, on the terminal of this process, and returns its exit code.
 * Ctrl-C reaches the program as well; it decides how to end.
 */
export async function runProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const wait = (): void => {}
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal)
  process.on('SIGINT', wait).on('SIGTERM', forward).on('SIGHUP', forward)
  child.on('error', reject)
  child.on('exit', (code) => resolve(code ?? 1))
  try {
    return await promise
  } finally {
    process.off('SIGINT', wait).off('SIGTERM', forward).off('SIGHUP', forward)
  }
}

/** Runs a script of `scripts/`, which may import the packages' sources. */
export function runScript(name: string, args: readonly string[] = []): Promise<number> {
  return runProgram(['--conditions=source', join('scripts', name), ...args])
}

/** Runs the tests of some projects of vitest.config.ts; `filters` are parts of paths, and vitest's own options. */
export function runVitest(
  projects: readonly string[],
  filters: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const program = join('node_modules', 'vitest', 'vitest.mjs')
  return runProgram([program, 'run', ...projects.flatMap((name) => ['--project', name]), ...filters], env)
}
