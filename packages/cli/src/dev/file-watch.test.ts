import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SystemClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileWatch } from './file-watch.ts'

let folder: string
let files: FileWatch
let saves: string[]
let waiting: (() => void)[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-files-'))
  for (const name of ['operator.ts', 'src/kind.ts']) write(name)
  saves = []
  waiting = []
  files = new FileWatch(folder, new SystemClock(), (names) => {
    saves.push(...names)
    for (const go of waiting.splice(0)) go()
  })
})
afterEach(() => {
  files[Symbol.dispose]()
  rmSync(folder, { recursive: true })
})

function write(name: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), 'export {}\n')
}

/** Saves as many editors do: writes another file, and renames it to the first. */
function replace(name: string): void {
  write(`${name}.swp`)
  renameSync(join(folder, `${name}.swp`), join(folder, name))
}

/** Waits until this file is saved. Returns all files that were saved. */
async function savedUntil(name: string): Promise<string[]> {
  while (!saves.includes(name)) await new Promise<void>((go) => waiting.push(go))
  return saves.splice(0)
}

const inSrc = join('src', 'kind.ts')

describe('a watch over files', () => {
  it('sees each save of a file that is replaced', async () => {
    for (let time = 0; time < 5; time++) {
      replace('operator.ts')
      expect(await savedUntil('operator.ts')).toContain('operator.ts')
      replace('src/kind.ts')
      expect(await savedUntil(inSrc)).toContain(inSrc)
    }
    write('operator.ts')
    expect(await savedUntil('operator.ts')).toContain('operator.ts')
  })

  it('sees files in folders that are new, moved and made again', async () => {
    write('lib/deep/new.ts')
    expect(await savedUntil(join('lib', 'deep', 'new.ts'))).toContain(join('lib', 'deep', 'new.ts'))
    replace('lib/deep/next.ts')
    expect(await savedUntil(join('lib', 'deep', 'next.ts'))).toContain(join('lib', 'deep', 'next.ts'))
    renameSync(join(folder, 'lib'), join(folder, 'moved'))
    expect(await savedUntil(join('moved', 'deep', 'next.ts'))).toContain(join('moved', 'deep', 'next.ts'))
    replace('moved/deep/third.ts')
    expect(await savedUntil(join('moved', 'deep', 'third.ts'))).toContain(join('moved', 'deep', 'third.ts'))
    rmSync(join(folder, 'moved'), { recursive: true })
    write('moved/deep/again.ts')
    expect(await savedUntil(join('moved', 'deep', 'again.ts'))).toContain(join('moved', 'deep', 'again.ts'))
    replace('moved/deep/last.ts')
    expect(await savedUntil(join('moved', 'deep', 'last.ts'))).toContain(join('moved', 'deep', 'last.ts'))
  })

  it('ignores tests, installed packages and files that are not sources', async () => {
    for (const name of ['operator.test.ts', 'node_modules/x/index.js', '.git/config.json', 'README.md'])
      write(name)
    write('src/kind.ts')
    expect(new Set(await savedUntil(inSrc))).toEqual(new Set([inSrc]))
  })
})
