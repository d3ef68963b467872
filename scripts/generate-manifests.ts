/** Writes the manifests of the examples from their operators, as `homeostat manifests` does: `npm run generate`. */
import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { homeostat } from '../packages/cli/src/process/homeostat.ts'

for (const file of globSync('examples/*/operator.ts', {
  cwd: resolve(import.meta.dirname, '..'),
}).toSorted()) {
  const code = await homeostat(['manifests'], {
    cwd: resolve(import.meta.dirname, '..', dirname(file)),
    env: process.env,
    isTerminal: false,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  })
  if (code !== 0) process.exitCode = code
}
