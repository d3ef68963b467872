import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Command, CommandCall } from '../command/index.ts'

export const test: Command = {
  name: 'test',
  summary: 'runs the tests of the project, by vitest where it is installed and by Node elsewhere',
  description:
    'Runs vitest where the project has it, and otherwise the test runner of Node on all *.test.ts files. Arguments and options after -- go to the runner. The exit code is that of the runner.',
  arguments: '[-- ARGUMENT...]',
  options: {},
  examples: [
    ['test', 'runs all tests'],
    ['test -- src/controller.test.ts', 'runs one file'],
  ],
  async run({ positionals, io }: CommandCall): Promise<number> {
    const vitest = vitestOf(io.cwd)
    const args = vitest
      ? [vitest, 'run', ...positionals]
      : ['--test', ...(positionals.length > 0 ? positionals : ['**/*.test.{ts,mts,js,mjs}'])]
    if (!vitest) io.err('vitest is not installed here: the tests run by node --test\n')
    const options = { cwd: io.cwd, env: { ...io.env }, stdio: 'inherit', detached: OWN_GROUP } as const
    return untilEnded(spawn(process.execPath, args, options))
  },
}

const INTERRUPTED = 130

/**
 * Whether the runner gets its own process group, so that its workers can be found when it has ended without them. A
 * runner that reads from a terminal stays in the group of the terminal, which also sends Ctrl-C to the workers.
 */
const OWN_GROUP = process.platform !== 'win32' && !process.stdin.isTTY

/**
 * Waits for the runner, also after a signal. Returns its exit code, or that of Ctrl-C. A terminal sends Ctrl-C to the runner
 * as well; other signals are passed on. A runner that was stopped by a signal can leave a worker behind, which is ended too.
 */
async function untilEnded(child: ChildProcess): Promise<number> {
  let isInterrupted = false
  let isSignalled = false
  const interrupt = (): void => {
    isInterrupted = isSignalled = true
    if (!process.stdin.isTTY) child.kill('SIGINT')
  }
  const end = (): void => {
    isSignalled = true
    child.kill('SIGTERM')
  }
  process.on('SIGINT', interrupt).on('SIGTERM', end).on('SIGHUP', end)
  try {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
    const code = await promise
    if (isSignalled && OWN_GROUP && child.pid !== undefined) endGroup(child.pid)
    return isInterrupted ? INTERRUPTED : code
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', end).off('SIGHUP', end)
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH'
    if (!isGone) throw error
  }
}

/** The program of the project's own vitest. */
function vitestOf(cwd: string): string | undefined {
  try {
    const manifest = createRequire(join(cwd, 'package.json')).resolve('vitest/package.json')
    const program = join(dirname(manifest), 'vitest.mjs')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}
