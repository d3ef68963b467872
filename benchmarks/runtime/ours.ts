import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, cacheFolder, type Command } from './builds.ts'

const root = join(import.meta.dirname, '..', '..')
const peers = join(root, 'benchmarks', 'peers')

/**
 * Compiles the runtime into the form in which it is installed: packages of JavaScript. Run from source, each
 * start would strip the types of some hundred files, which no user of the package waits for.
 */
export async function prepareOurs(signal: AbortSignal): Promise<Command> {
  const target = cacheFolder('ours')
  const packages = [
    {
      source: join(root, 'packages', 'api'),
      name: '@homeostat/api',
      entries: ['index.ts', 'kinds/native.ts'],
    },
    { source: join(root, 'packages', 'runtime'), name: 'homeostat', entries: ['index.ts', 'kinds.ts'] },
  ]
  for (const { source, name } of packages) {
    const installed = join(target, 'node_modules', name)
    mkdirSync(installed, { recursive: true })
    cpSync(join(source, 'package.json'), join(installed, 'package.json'))
  }
  cpSync(join(root, 'node_modules', 'yaml'), join(target, 'node_modules', 'yaml'), { recursive: true })
  cpSync(join(peers, 'ours', 'package.json'), join(target, 'package.json'))
  await build(
    {
      peer: 'ours',
      toolchain: { program: tsc, from: 'npm install' },
      sources: [
        ...packages.map(({ source }) => join(source, 'src')),
        join(peers, 'ours'),
        join(peers, 'tally.ts'),
      ],
      result: join(target, 'program'),
      steps: [
        ...packages.map(({ source, name, entries }) =>
          compile(
            join(source, 'src'),
            entries.map((entry) => join(source, 'src', entry)),
            join(target, 'node_modules', name, 'dist'),
          ),
        ),
        compile(peers, [join(peers, 'ours', 'main.ts')], join(target, 'program')),
      ],
    },
    signal,
  )
  return { file: process.execPath, args: [join(target, 'program', 'ours', 'main.js')] }
}

const tsc = join(root, 'node_modules', '.bin', 'tsc')

/** Types are checked elsewhere: here a half-done change must not keep the benchmark from running. */
function compile(rootDir: string, entries: readonly string[], outDir: string) {
  const args = ['--ignoreConfig', '--noCheck', '--rootDir', rootDir, '--outDir', outDir]
  const language = [
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--customConditions',
    'source',
    '--types',
    'node',
  ]
  const form = ['--verbatimModuleSyntax', '--rewriteRelativeImportExtensions', '--skipLibCheck']
  return { file: tsc, args: [...args, ...language, ...form, ...entries], cwd: root }
}
