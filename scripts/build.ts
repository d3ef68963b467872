/** Emits what is published: `dist/` of every package, in the order of their imports. `npm run build`. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packages } from './layers.ts'

const root = resolve(import.meta.dirname, '..')
const built = new Set<string>()

for (const folder of inOrder()) {
  const started = performance.now()
  build(join(root, 'packages', folder))
  console.log(`built ${packages[folder]?.name} in ${((performance.now() - started) / 1_000).toFixed(1)} s`)
}

/** Each package after those that it imports. */
function* inOrder(): Generator<string> {
  const waiting = new Map(Object.entries(packages))
  while (waiting.size > 0) {
    for (const [folder, { name, imports }] of waiting) {
      if (!imports.every((other) => built.has(other))) continue
      yield folder
      built.add(name)
      waiting.delete(folder)
    }
  }
}

function build(folder: string): void {
  const project = join(folder, 'tsconfig.build.json')
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  writeFileSync(
    project,
    JSON.stringify({
      extends: '../../tsconfig.json',
      // Without the condition `source` the other packages are seen as a user sees them: by what was emitted.
      compilerOptions: {
        noEmit: false,
        declaration: true,
        outDir: 'dist',
        rootDir: 'src',
        customConditions: [],
      },
      include: ['src'],
      exclude: ['src/**/*.test.ts', 'src/**/goldens'],
    }),
  )
  const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', project], { stdio: 'inherit' })
  rmSync(project, { force: true })
  if (status !== 0) process.exit(1)
}
