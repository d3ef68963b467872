import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePackage } from '../../scripts/build-package.ts'
import { ownFolder, runSteps } from '../runtime/builds.ts'
import { compile } from '../runtime/ours.ts'

const root = join(import.meta.dirname, '..', '..')
const programs = join(import.meta.dirname, 'programs')
const PROGRAMS = ['in-process', 'many-servers'] as const

/** The compiled programs, by name; `server` is what a user starts. */
export type Programs = Readonly<Record<(typeof PROGRAMS)[number] | 'server', string>>

/** Brings the server into the form in which it is installed, bundles of JavaScript, and compiles the programs that use it. */
export async function compilePrograms(signal: AbortSignal): Promise<Programs> {
  const target = ownFolder('apiserver')
  for (const name of ['api', 'cel', 'apiserver']) {
    const installed = join(target, 'node_modules', '@homeostat', name)
    mkdirSync(installed, { recursive: true })
    cpSync(join(root, 'packages', name, 'package.json'), join(installed, 'package.json'))
    await bundlePackage(name, join(installed, 'dist'))
  }
  const programsFolder = join(target, 'node_modules', '@homeostat', 'apiserver', 'bin')
  cpSync(join(root, 'packages', 'apiserver', 'bin'), programsFolder, { recursive: true })
  for (const dependency of ['yaml', 're2js']) {
    const from = join(root, 'node_modules', dependency)
    cpSync(from, join(target, 'node_modules', dependency), { recursive: true, dereference: true })
  }
  cpSync(join(root, 'benchmarks', 'peers', 'ours', 'package.json'), join(target, 'package.json'))
  const result = join(target, 'programs')
  const entries = PROGRAMS.map((name) => join(programs, `${name}.ts`))
  await runSteps('apiserver', [compile(programs, entries, result)], signal)
  return {
    server: join(programsFolder, 'homeostat-apiserver.mjs'),
    'in-process': join(result, 'in-process.js'),
    'many-servers': join(result, 'many-servers.js'),
  }
}
