import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface LockedPackage {
  readonly version?: string
  readonly link?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly bin?: Readonly<Record<string, string>>
}

function installedBy(file: string): [path: string, LockedPackage][] {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  return Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)
}

const installed = installedBy('package-lock.json')
const lockFiles = globSync('**/package-lock.json', { exclude: (name) => name.includes('node_modules') })

it('the lock files of the workspace and of folders with dependencies of their own are found', () => {
  expect(installed.length).toBeGreaterThan(50)
  expect(lockFiles).toEqual(expect.arrayContaining(['package-lock.json', 'docs/site/package-lock.json']))
})

it.each(lockFiles)('every package of %s is pinned by its integrity', (file) => {
  const unpinned = installedBy(file).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
  expect(unpinned.map(([path]) => path)).toEqual([])
})

it('no installed package runs an install script', () => {
  const running = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
  expect(running.map(([path]) => path)).toEqual([])
})

const platform = process.platform === 'win32' ? 'win' : process.platform
const nodes = installed.filter(
  ([path, { bin }]) => bin?.['node'] && path.endsWith(`-${platform}-${process.arch}`),
)

it.skipIf(nodes.length === 0)('this process runs the Node that is locked for its platform', () => {
  expect(nodes.map(([, { version }]) => `v${version}`)).toEqual([process.version])
})

it.skipIf(nodes.length === 0 || platform === 'win')('npm scripts find that Node first', () => {
  const version = execFileSync('node_modules/.bin/node', ['--version'], { encoding: 'utf8' })
  expect(version.trim()).toBe(process.version)
})
