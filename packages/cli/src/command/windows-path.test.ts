import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { windowsPathProblem } from './windows-path.ts'

it.each([
  ['C:\\out', 'linux', '/out'],
  ['.\\manifests\\all', 'darwin', './manifests/all'],
  ['\\\\server\\share', 'linux', '//server/share'],
] as const)('%s on %s is one name: write %s', (path, platform, here) => {
  expect(windowsPathProblem(path, platform)).toBe(
    `${path} is a path of Windows, and on this system it would be a single name: write ${here}`,
  )
  expect(windowsPathProblem(path, 'win32')).toBeUndefined()
})

it('takes other paths, and the name of a file that is there', () => {
  expect(windowsPathProblem('./manifests', 'linux')).toBeUndefined()
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-path-'))
  try {
    writeFileSync(join(folder, 'a\\b'), '')
    expect(windowsPathProblem(join(folder, 'a\\b'), 'linux')).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
