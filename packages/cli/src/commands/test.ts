import { spawn } from 'node:child_process'
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
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, args, { cwd: io.cwd, env: { ...io.env }, stdio: 'inherit' })
      child.on('error', reject)
      child.on('close', (code) => resolve(code ?? 1))
    })
  },
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
