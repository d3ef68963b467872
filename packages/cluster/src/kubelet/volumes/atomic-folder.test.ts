import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AtomicFolder, type VolumeFile } from './atomic-folder.ts'

let path: string
let folder: AtomicFolder

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'homeostat-volume-'))
  folder = new AtomicFolder(path)
  folder.open()
})
afterEach(() => rm(path, { recursive: true }))

function files(content: Record<string, string>, mode = 0o644): Map<string, VolumeFile> {
  return new Map(Object.entries(content).map(([name, text]) => [name, { content: Buffer.from(text), mode }]))
}
async function visible(): Promise<string[]> {
  return (await readdir(path)).filter((name) => !name.startsWith('..')).sort((a, b) => (a < b ? -1 : 1))
}

describe('a folder that changes all at once', () => {
  it('shows the files, also those in folders, with their mode', async () => {
    folder.write(files({ a: '1', 'sub/b': '2' }, 0o400))
    expect(await visible()).toEqual(['a', 'sub'])
    expect(await readFile(join(path, 'sub/b'), 'utf8')).toBe('2')
    expect((await stat(join(path, 'a'))).mode & 0o777).toBe(0o400)
  })

  it('writes nothing when nothing changed', async () => {
    folder.write(files({ a: '1' }))
    const before = await readdir(path)
    folder.write(files({ a: '1' }))
    expect(await readdir(path)).toEqual(before)
  })

  it('replaces links and folders that a container puts into it', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'homeostat-outside-'))
    folder.write(files({ a: '1' }))
    await symlink(outside, join(path, '..v2'))
    await symlink(outside, join(path, '..data_new'))
    await rm(join(path, '..data'))
    await mkdir(join(path, '..data/deep'), { recursive: true })
    await mkdir(join(path, 'made/deep'), { recursive: true })
    folder.write(files({ a: '2', b: '3' }))
    expect(await visible()).toEqual(['a', 'b'])
    expect(await readFile(join(path, 'a'), 'utf8')).toBe('2')
    expect(await readdir(outside)).toEqual([])
    await rm(outside, { recursive: true })
  })

  it('never shows a reader half of a change', async () => {
    const version = (n: number): Record<string, string> => ({
      a: `${n}`.repeat(50_000),
      b: `${n}`.repeat(50_000),
    })
    folder.write(files(version(0)))
    const written = new AbortController()
    const seen = new Set<string>()
    const reading = (async () => {
      while (!written.signal.aborted) {
        // One resolved version is complete; through the links a reader may see two versions one after the other.
        const text = await readFile(join(path, 'a'), 'utf8')
        seen.add(`${text.length} of ${new Set(text).size} kind`)
      }
    })()
    for (let n = 1; n < 6; n++) {
      folder.write(files(version(n)))
      await readFile(join(path, 'b'))
    }
    written.abort()
    await reading
    expect([...seen]).toEqual(['50000 of 1 kind'])
    expect((await readdir(path)).filter((name) => name.startsWith('..v'))).toEqual(['..v5', '..v6'])
  })
})
