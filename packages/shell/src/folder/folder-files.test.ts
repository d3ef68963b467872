import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anchored } from './anchored.ts'
import { FolderFiles } from './folder-files.ts'

const MAKE_PIPE = 'mkfifo'

let folder: string
let root: string
let files: FolderFiles

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'homeostat-files-')))
  root = join(folder, 'root')
  mkdirSync(root)
  mkdirSync(join(folder, 'volume'))
  writeFileSync(join(folder, 'secret'), 'of the machine')
  files = new FolderFiles({
    root,
    mounts: [
      { path: '/data', source: join(folder, 'volume'), readOnly: false },
      { path: '/config', source: join(folder, 'volume'), readOnly: true },
    ],
  })
})

afterEach(() => rmSync(folder, { recursive: true }))

const textOf = (path: string): string => Buffer.from(files.read(path)).toString()

describe('the files of a container', () => {
  it('are those of its root and of its mounts', async () => {
    files.write('/a', 'in the root')
    files.write('/data/b', 'in the volume')
    expect(textOf('/a')).toBe('in the root')
    expect(readFileSync(join(folder, 'volume/b'), 'utf8')).toBe('in the volume')
    expect(textOf('/config/b')).toBe('in the volume')
    expect(await files.resolve('/data/b')).toBe(join(folder, 'volume/b'))
    expect(files.list('/')).toEqual(['a', 'config', 'data'])
  })

  it('have nothing above their root', () => {
    files.write('/a', 'here')
    expect(textOf('/../../a')).toBe('here')
    expect(textOf('/data/../a')).toBe('here')
    expect(files.stat('/../secret')).toBeUndefined()
    expect(() => files.read('/../secret')).toThrow('No such file')
  })

  it.each(['/etc/passwd', '../secret', '../../../../etc/passwd'])(
    'follow a link to %s inside only',
    (target) => {
      mkdirSync(join(root, 'etc'))
      writeFileSync(join(root, 'etc/passwd'), 'of the container')
      writeFileSync(join(root, 'secret'), 'of the container')
      symlinkSync(target, join(root, 'link'))
      expect(textOf('/link')).toBe('of the container')
      files.write('/link', 'changed')
      expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('of the machine')
    },
  )

  it('cannot be reached through a link to a folder of the machine', () => {
    symlinkSync(folder, join(root, 'out'))
    expect(() => files.read('/out/secret')).toThrow('No such file')
    expect(() => files.write('/out/made', '')).toThrow('No such file')
    expect(existsSync(join(folder, 'made'))).toBe(false)
  })

  it('stay inside when a folder becomes a link after it was checked', () => {
    mkdirSync(join(root, 'dir'))
    const host = join(root, 'dir/secret')
    rmSync(join(root, 'dir'), { recursive: true })
    symlinkSync(folder, join(root, 'dir'))
    expect(() => anchored(host, '/dir/secret', (path) => readFileSync(path))).toThrow()
    mkdirSync(join(root, 'x/y'), { recursive: true })
    const deep = join(root, 'x/y/secret')
    rmSync(join(root, 'x'), { recursive: true })
    mkdirSync(join(folder, 'y'))
    writeFileSync(join(folder, 'y/secret'), '')
    symlinkSync(folder, join(root, 'x'))
    expect(() => anchored(deep, '/x/y/secret', (path) => readFileSync(path))).toThrow('Permission denied')
  })

  it('use the source of a mount when a link replaces it', () => {
    files.write('/data/a', 'volume')
    rmSync(join(folder, 'volume'), { recursive: true })
    mkdirSync(join(folder, 'other'))
    writeFileSync(join(folder, 'other/a'), 'other')
    symlinkSync(join(folder, 'other'), join(folder, 'volume'))
    expect(() => files.read('/data/a')).toThrow()
  })

  it('follow the links that a volume itself is made of', () => {
    mkdirSync(join(folder, 'volume/..v1'))
    writeFileSync(join(folder, 'volume/..v1/key'), 'value')
    symlinkSync('..v1', join(folder, 'volume/..data'))
    symlinkSync('..data/key', join(folder, 'volume/key'))
    expect(textOf('/config/key')).toBe('value')
  })

  it('end a ring of links', () => {
    symlinkSync('b', join(root, 'a'))
    symlinkSync('a', join(root, 'b'))
    expect(() => files.read('/a')).toThrow('Too many levels of symbolic links')
  })

  it('refuse every change of a read-only mount', () => {
    files.write('/data/a', 'x')
    const changes = [
      () => files.write('/config/a', 'y'),
      () => files.unlink('/config/a'),
      () => files.mkdir('/config/d'),
      () => files.chmod('/config/a', 0o777),
      () => files.touch('/config/a', 0),
      () => files.symlink('a', '/config/l'),
      () => files.rename('/config/a', '/config/b'),
    ]
    for (const change of changes) expect(change).toThrow('Read-only file system')
    expect(textOf('/data/a')).toBe('x')
  })

  it('are moved within one place only, and mounts not at all', () => {
    files.write('/a', '')
    expect(() => files.rename('/a', '/data/a')).toThrow('cross-device')
    expect(() => files.rename('/data', '/d')).toThrow('busy')
    expect(() => files.rmdir('/data')).toThrow('busy')
    files.rename('/a', '/b')
    expect(files.list('/')).toContain('b')
  })

  it('never wait for a named pipe, and open no device', () => {
    execFileSync(MAKE_PIPE, [join(root, 'pipe')])
    expect(() => files.open('/pipe')).toThrow('Permission denied')
    expect(() => files.open('/pipe', { write: true })).toThrow('Permission denied')
    expect(files.stat('/pipe')?.kind).toBe('other')
  })

  it('name the path in the container when something fails, and none of the machine', () => {
    const failures = [() => files.read('/none'), () => files.read('/data'), () => files.rmdir('/none/x')]
    for (const failure of failures)
      expect(failure).toThrow(expect.not.objectContaining({ message: expect.stringContaining(folder) }))
    expect(() => files.read('/none')).toThrow(expect.objectContaining({ errno: 'ENOENT', path: '/none' }))
  })

  it('refuse invalid paths', () => {
    for (const path of ['', 'relative', '/a\0b']) expect(() => files.read(path)).toThrow('Invalid argument')
    expect(() => files.read(`/${'a'.repeat(5_000)}`)).toThrow('File name too long')
  })

  it('grant no more than permissions: no bit lets a program run as another user', () => {
    files.write('/a', '', { mode: 0o755 })
    files.chmod('/a', 0o4777)
    expect(files.stat('/a')?.mode).toBe(0o777)
    expect(execFileSync('stat', ['-c', '%a', join(root, 'a')]).toString()).toBe('777\n')
  })

  it('are read up to a limit', () => {
    files.write('/a', 'x'.repeat(100))
    expect(() => files.read('/a', 10)).toThrow('File too large')
  })
})
