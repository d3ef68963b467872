import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePackage } from '../../scripts/build-package.ts'
import { ownFolder, runSteps, type Command } from './builds.ts'

const root = join(import.meta.dirname, '..', '..')
const peers = join(root, 'benchmarks', 'peers')

/**
 * Brings the runtime into the form in which it is installed: packages of JavaScript. Run from source, each
 * start would strip the types of some hundred files, which no user of the package waits for.
 */
export async function prepareOurs(signal: AbortSignal): Promise<Command> {
  const target = ownFolder('ours')
  for (const [folder, name] of [
    ['api', '@homeostat/api'],
    ['runtime', 'homeostat'],
  ] as const) {
    const installed = join(target, 'node_modules', name)
    mkdirSync(installed, { recursive: true })
    cpSync(join(root, 'packages', folder, 'package.json'), join(installed, 'package.json'))
    await bundlePackage(folder, join(installed, 'dist'))
  }
  cpSync(join(root, 'node_modules', 'yaml'), join(target, 'node_modules', 'yaml'), { recursive: true })
  cpSync(join(peers, 'ours', 'package.json'), join(target, 'package.json'))
  const program = join(target, 'program')
  await runSteps('ours', [compile(peers, [join(peers, 'ours', 'main.ts')], program)], signal)
  return { file: process.execPath, args: [join(program, 'ours', 'main.js')] }
}

const tsc = join(root, 'node_modules', '.bin', 'tsc')

/** Types are checked elsewhere: here a half-done change must not keep the benchmark from running. */
export function compile(rootDir: string, entries: readonly string[], outDir: string) {
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
