import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { basename, delimiter, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** A Node on the PATH that our packages do not run on. */
const old = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((file) => existsSync(file))
  .find((file) => {
    const [major = 0, minor = 0] = spawnSync(file, ['--version'], { encoding: 'utf8' })
      .stdout.slice(1)
      .split('.')
      .map(Number)
    return major < 22 || (major === 22 && minor < 19)
  })

it.skipIf(old === undefined).each(globSync('packages/*/bin/*.mjs', { cwd: root }))(
  '%s says which Node it needs, on an old one',
  (file) => {
    const { status, stderr } = spawnSync(old ?? '', [join(root, file)], { encoding: 'utf8' })
    const name = basename(file, '.mjs')
    expect(stderr).toMatch(
      new RegExp(`^${name} needs Node 22\\.19 or newer; this is Node \\d+[.\\d]+\\. .*\n$`),
    )
    expect(status).toBe(1)
  },
)
