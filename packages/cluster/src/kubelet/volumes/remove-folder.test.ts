import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeFolder } from './remove-folder.ts'

let outside: string
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'homeostat-remove-'))
})
afterEach(() => rmSync(outside, { recursive: true, force: true }))

test.for([3, 500])('a folder of %s files is removed, and links in it are not followed', async (files) => {
  const kept = join(outside, 'kept')
  mkdirSync(kept)
  writeFileSync(join(kept, 'file'), 'kept')
  const folder = join(outside, 'folder')
  mkdirSync(join(folder, 'a', 'b'), { recursive: true })
  symlinkSync(kept, join(folder, 'a', 'link'))
  for (let i = 0; i < files; i++) writeFileSync(join(folder, 'a', 'b', String(i)), '')
  await removeFolder(folder)
  expect(existsSync(folder)).toBe(false)
  expect(readFileSync(join(kept, 'file'), 'utf8')).toBe('kept')
})

test('removing a missing folder succeeds', async () => {
  await expect(removeFolder(join(outside, 'none'))).resolves.toBeUndefined()
})
