import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ownTemporaryFolder } from '../temporary-folder.ts'

// The folder of this run stays as it is: these tests make another one in it.
beforeEach(() => {
  vi.stubEnv('TMPDIR', tmpdir())
  vi.stubEnv('HOMEOSTAT_TEMPORARY', undefined)
})
afterEach(() => void vi.unstubAllEnvs())

it('a run of tests has a temporary folder of its own, which its projects share and its end removes', async () => {
  const before = tmpdir()
  const finish = ownTemporaryFolder(0)
  const own = tmpdir()
  expect(own).not.toBe(before)
  expect(ownTemporaryFolder(0)).toBeUndefined()
  expect(tmpdir()).toBe(own)
  const folder = mkdtempSync(join(own, 'of-a-test-'))
  rmSync(folder, { recursive: true })
  await finish?.()
  expect(existsSync(own)).toBe(false)
})

it('a run of tests fails if a test leaves a folder, and removes that folder', async () => {
  const finish = ownTemporaryFolder(0)
  const left = mkdtempSync(join(tmpdir(), 'homeostat-left-'))
  await expect(finish?.()).rejects.toThrow(/^tests left in the temporary folder: homeostat-left-\w{6}$/)
  expect(existsSync(left)).toBe(false)
})
