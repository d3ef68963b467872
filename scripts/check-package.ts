/**
 * Installs `homeostat` as a user would, from what npm packs, into a folder of its own; fails where it has
 * become too heavy, where a package lacks what people look for in it, where publint or are-the-types-wrong find a
 * problem, or where a careful user's program does not compile, and prints how long the import takes. `npm run check:package`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packageProblems } from './check-package/package-problems.ts'
import { packages } from './layers.ts'
import { projectProblems } from './check-package/made-project.ts'
import { strictProblems } from './check-package/strict-consumer.ts'
import { toolProblems } from './check-package/tool-problems.ts'

const MOST_MEGABYTES = 15
const MOST_PACKAGES = 25

const root = resolve(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'homeostat-package-'))
const folder = join(scratch, 'runtime')
try {
  const tarballs = pack(Object.keys(packages))
  install(folder, [tarballs['api']!, tarballs['runtime']!])

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

  const all = join(scratch, 'all')
  install(all, Object.values(tarballs))
  const problems = [
    ...Object.entries(tarballs).flatMap(([name, tarball]) =>
      packageProblems(tarball, join(scratch, 'unpacked', name), root),
    ),
    ...toolProblems(Object.values(tarballs), root),
    ...strictProblems(all, root),
    ...programProblems(all),
    ...projectProblems(all, root),
  ]
  if (problems.length > 0) {
    console.error(problems.join('\n'))
    process.exitCode = 1
  } else {
    console.log(
      'all packages have their sources, maps, license and links, please publint and are-the-types-wrong, and compile under strict options; a new project works with them',
    )
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** The programs start from what was built, although the sources lie beside it. */
function programProblems(installed: string): string[] {
  return ['create-homeostat', 'homeostat', 'homeostat-apiserver', 'homeostat-cluster'].flatMap((program) => {
    const file = join(installed, 'node_modules/.bin', program)
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' })
    return status === 0 && stdout.includes('homeostat')
      ? []
      : [`${program} --help failed: ${stderr || stdout}`]
  })
}

/** The tarball of each package. */
function pack(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const destination = join(scratch, 'packed', name)
      mkdirSync(destination, { recursive: true })
      npm(['pack', '--pack-destination', destination], join(root, 'packages', name))
      return [name, join(destination, globSync('*.tgz', { cwd: destination })[0]!)]
    }),
  )
}

function install(into: string, tarballs: readonly string[]): void {
  mkdirSync(into, { recursive: true })
  writeFileSync(join(into, 'package.json'), '{ "private": true, "type": "module" }')
  npm(['install', '--no-audit', '--no-fund', ...tarballs], into)
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
