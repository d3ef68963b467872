import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PersistentFolders } from './persistent-folders.ts'

let root: string
let folders: PersistentFolders

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'homeostat-volumes-'))
  folders = new PersistentFolders(join(root, 'volumes'))
})
afterEach(() => rm(root, { recursive: true }))

describe('the folders of PersistentVolumes', () => {
  it('are made and removed, also when called twice', async () => {
    await folders.create('pvc-1')
    await folders.create('pvc-1')
    await writeFile(join(folders.folder('pvc-1'), 'file'), 'x')
    await folders.create('pvc-2')
    await folders.remove('pvc-1')
    await folders.remove('pvc-1')
    expect(await readdir(join(root, 'volumes'))).toEqual(['pvc-2'])
  })

  it.each(['', '.', '..', '../x', 'a/b', '/etc', 'a\0b', '..data', 'x'.repeat(300)])(
    'have no place for the handle %j',
    async (handle) => {
      expect(() => folders.folder(handle)).toThrow('cannot be the name of a folder')
      await expect(folders.create(handle)).rejects.toThrow('cannot be the name of a folder')
      await expect(folders.remove(handle)).rejects.toThrow('cannot be the name of a folder')
    },
  )
})
