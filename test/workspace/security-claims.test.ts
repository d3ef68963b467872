import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const page = readFileSync('SECURITY.md', 'utf8').replace(/\s+/g, ' ')
/** Where the page's paths begin. */
const FOLDERS = ['', 'packages/cluster/src', 'packages/shell/src']
/** A test file, perhaps with the title of the test in it. */
const CLAIMS = [...page.matchAll(/`([\w./-]+\.test\.ts)`(?:, "([^"]+)")?/g)].map(
  ([, file = '', title = '']) => [file, title] as const,
)

it('SECURITY.md names tests', () => {
  expect(CLAIMS.length).toBeGreaterThan(8)
})

it.each(CLAIMS)('SECURITY.md names a test that exists: %s %s', (file, title) => {
  const found = FOLDERS.map((folder) => join(folder, file)).filter((path) => existsSync(path))
  expect(found).toHaveLength(1)
  expect(readFileSync(found[0] ?? '', 'utf8')).toContain(title)
})
