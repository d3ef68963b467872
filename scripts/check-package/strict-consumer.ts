import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages } from '../layers.ts'

/** How careful users compile: everything strict, and declarations of dependencies checked as well. */
const OPTIONS = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
  types: ['node'],
}

const PROGRAM = `
import { controller, defineKind, Manager, schema as s, type Client } from 'homeostat'
import { ConfigMap, Deployment, type Pod } from 'homeostat/kinds'
import { PodTemplateSpec } from 'homeostat/schemas'

export const Thing = defineKind({
  group: 'example.com', version: 'v1', kind: 'Thing',
  spec: s.object({ template: s.native(PodTemplateSpec), size: s.integer().default(1) }),
  status: s.object({ conditions: s.conditions().optional() }),
})
export const things = controller('things')
  .for(Thing).owns(Deployment)
  .indexes(ConfigMap, { app: ({ metadata }) => metadata.labels?.['app'] })
  .reconcile(async (request, { client }) => {
    const thing = await client.get(Thing, request)
    if (!thing) return
    const selector = { matchLabels: { app: request.name } }
    await client.apply(Deployment, { metadata: request, spec: { replicas: thing.spec.size, selector, template: thing.spec.template } })
    await client.list(ConfigMap, { fields: { app: request.name } })
    return { requeueAfter: '1m' }
  })
export const imageOf = (pod: Pod): string | undefined => pod.spec.containers[0]?.image
export const scale = (client: Client, replicas: number) =>
  client.patch(Deployment, { namespace: 'a', name: 'b' }, { type: 'merge', body: { spec: { replicas } } })
export const manager = new Manager({ metrics: undefined }).add(things)
`

/** The compiler's errors for a program of a careful user, in a folder with all packages installed. */
export function strictProblems(folder: string, root: string): string[] {
  const files = { 'program.ts': PROGRAM, 'entries.ts': entriesProgram(folder) }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const typeRoots = [join(root, 'node_modules/@types')]
  const compilerOptions = { ...OPTIONS, typeRoots, declaration: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, ['-p', folder, '--pretty', 'false'], { encoding: 'utf8', cwd: folder })
  return stdout.split('\n').filter((line) => line.trim() !== '')
}

/** A program that imports every entry of every package, so that the compiler checks all declarations that are published. */
function entriesProgram(folder: string): string {
  const entries = Object.values(packages).flatMap(({ name }) => {
    const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
    const { exports } = JSON.parse(manifest) as { exports: Readonly<Record<string, unknown>> }
    return Object.keys(exports)
      .filter((path) => !path.endsWith('.json') && !path.includes('*'))
      .map((path) => `${name}${path.slice(1)}`)
  })
  return entries.map((entry, index) => `export * as entry${index} from '${entry}'\n`).join('')
}
