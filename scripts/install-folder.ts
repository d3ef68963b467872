import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

/**
 * Installs the dependencies of a folder that has its own package-lock.json, when they have changed since the last time. Returns the exit
 * code of npm, whose output says why it failed.
 */
export function installFolder(folder: string): number {
  const cwd = join(root, folder)
  const stamp = join(cwd, 'node_modules', '.homeostat-setup')
  const lock = readFileSync(join(cwd, 'package-lock.json'))
  const wanted = createHash('sha256').update(lock).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 0
  console.log(`Installing what ${folder} needs (only when its dependencies have changed) …`)
  // No install script is run: what is installed is what package-lock.json pins.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const npm = process.env['npm_execpath']
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd, stdio: 'inherit' })
  if (status === 0) writeFileSync(stamp, wanted)
  return status ?? 1
}
