/** Runs a benchmark by its name: `npm run bench hostile -- --help`. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const [name = '', ...rest] = process.argv.slice(2)
const programs = readdirSync(import.meta.dirname).filter((folder) =>
  existsSync(join(import.meta.dirname, folder, 'main.ts')),
)

if (programs.includes(name)) {
  // The benchmark reads its options where they stand when it is started by itself.
  process.argv.splice(2, process.argv.length, ...rest)
  await import(`./${name}/main.ts`)
} else {
  console.error(`Usage: npm run bench <name> -- [options]\n\nThere are ${programs.join(', ')}.`)
  process.exitCode = 1
}
