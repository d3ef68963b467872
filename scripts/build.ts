/** Emits what is published: `dist/` of every package, in the order of their imports. `npm run build`. */
import { buildPackage } from './build-package.ts'
import { packages } from './layers.ts'
import { packagesInOrder } from './package-order.ts'

for (const folder of packagesInOrder()) {
  const started = performance.now()
  await buildPackage(folder)
  console.log(`built ${packages[folder]?.name} in ${((performance.now() - started) / 1_000).toFixed(1)} s`)
}
