import { globSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** A reader takes in this many files at a glance. Tests stand beside their subject, and are not counted. */
const MOST_FILES = 20

it('no folder of a package holds more source files than a reader takes in', () => {
  const files = globSync('packages/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !file.includes('/generated/'),
  )
  expect(files.length).toBeGreaterThan(1_000)
  const crowded = [...Map.groupBy(files, dirname)]
    .filter(([, inFolder]) => inFolder.length > MOST_FILES)
    .map(([folder, inFolder]) => `${folder}: ${inFolder.length} files`)
  expect(crowded, 'divide the folder by concept').toEqual([])
})
