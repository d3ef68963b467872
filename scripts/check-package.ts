/**
 * Installs `homeostat` as a user would, from what npm packs, into a folder of its own; fails where it has
 * become too heavy, and prints how long the import takes. `npm run check:package`.
 */
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const MOST_MEGABYTES = 15
const MOST_PACKAGES = 25

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'homeostat-package-'))
try {
  for (const name of ['api', 'runtime'])
    npm(['pack', '--pack-destination', folder], join(root, 'packages', name))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(
    ['install', '--no-audit', '--no-fund', ...globSync('*.tgz', { cwd: folder }).map((file) => `./${file}`)],
    folder,
  )

  const modules = join(folder, 'node_modules')
  const megabytes = sizeOf(modules) / 1_000_000
  const count = globSync('{*,@*/*}/package.json', { cwd: modules }).length
  const times = Array.from({ length: 5 }, importTime).toSorted((a, b) => a - b)
  console.log(
    `homeostat as installed: ${megabytes.toFixed(1)} MB in ${count} packages; import in ${times[0]} to ${times.at(-1)} ms`,
  )
  if (megabytes > MOST_MEGABYTES || count > MOST_PACKAGES) {
    console.error(`that is more than ${MOST_MEGABYTES} MB or ${MOST_PACKAGES} packages`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function npm(args: string[], cwd: string): void {
  execFileSync('npm', [...args, '--loglevel=error'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

function importTime(): number {
  const code = `const start = performance.now(); await import('homeostat'); console.log(performance.now() - start)`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    encoding: 'utf8',
  })
  return Math.round(Number(output))
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
