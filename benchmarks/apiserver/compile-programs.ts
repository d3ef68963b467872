import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build, cacheFolder } from '../runtime/builds.ts'
import { compile } from '../runtime/ours.ts'

const root = join(import.meta.dirname, '..', '..')
const programs = join(import.meta.dirname, 'programs')
const PROGRAMS = ['in-process', 'many-servers'] as const

/** The compiled programs, by name; `server` is what a user starts. */
export type Programs = Readonly<Record<(typeof PROGRAMS)[number] | 'server', string>>

/** Compiles the server into the form in which it is installed, packages of JavaScript, and the programs that use it. */
export async function compilePrograms(signal: AbortSignal): Promise<Programs> {
  const target = cacheFolder('apiserver')
  const packages = [
    { folder: 'api', entries: ['index.ts'] },
    { folder: 'apiserver', entries: ['index.ts', join('process', 'main.ts')] },
  ].map(({ folder, entries }) => ({
    source: join(root, 'packages', folder),
    installed: join(target, 'node_modules', '@homeostat', folder),
    entries,
  }))
  for (const { source, installed } of packages) {
    mkdirSync(installed, { recursive: true })
    cpSync(join(source, 'package.json'), join(installed, 'package.json'))
  }
  const bin = join('packages', 'apiserver', 'bin')
  const programsFolder = join(target, 'node_modules', '@homeostat', 'apiserver', 'bin')
  cpSync(join(root, bin), programsFolder, { recursive: true })
  for (const dependency of ['yaml', 're2js']) {
    const from = join(root, 'node_modules', dependency)
    cpSync(from, join(target, 'node_modules', dependency), { recursive: true, dereference: true })
  }
  cpSync(join(root, 'benchmarks', 'peers', 'ours', 'package.json'), join(target, 'package.json'))
  await build(
    {
      peer: 'apiserver',
      toolchain: { program: process.execPath, from: 'npm install' },
      sources: [...packages.map(({ source }) => join(source, 'src')), programs],
      result: join(target, 'programs'),
      steps: [
        ...packages.map(({ source, installed, entries }) =>
          compile(
            join(source, 'src'),
            entries.map((entry) => join(source, 'src', entry)),
            join(installed, 'dist'),
          ),
        ),
        compile(
          programs,
          PROGRAMS.map((name) => join(programs, `${name}.ts`)),
          join(target, 'programs'),
        ),
      ],
    },
    signal,
  )
  return {
    server: join(programsFolder, 'homeostat-apiserver.mjs'),
    'in-process': join(target, 'programs', 'in-process.js'),
    'many-servers': join(target, 'programs', 'many-servers.js'),
  }
}
