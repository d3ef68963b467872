/** Emits what is published: `dist/` of every package, in the order of their imports. `npm run build`. */
import { buildPackage } from './build-package.ts'
import { packages } from './layers.ts'

const built = new Set<string>()

for (const folder of inOrder()) {
  const started = performance.now()
  await buildPackage(folder)
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
