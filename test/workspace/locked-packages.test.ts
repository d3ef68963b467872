import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface LockedPackage {
  readonly version?: string
  readonly link?: boolean
  readonly integrity?: string
  readonly hasInstallScript?: boolean
  readonly bin?: Readonly<Record<string, string>>
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>
}
const installed = Object.entries(lock.packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && !link,
)

it('every installed package is pinned by its integrity', () => {
  expect(installed.length).toBeGreaterThan(50)
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
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
