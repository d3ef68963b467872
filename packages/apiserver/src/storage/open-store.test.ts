import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from './open-store.ts'
import { RevisionExpired, type Store, type StoreEvent } from './store.ts'

const THINGS = 'things'
const range = { collection: THINGS }
const module = fileURLToPath(new URL('open-store.ts', import.meta.url))

let folder: string
let file: string
let clock: SimulatedClock
let opened: Store[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-store-'))
  file = join(folder, 'store.db')
  clock = new SimulatedClock()
  opened = []
})
afterEach(() => {
  for (const store of opened) store.close()
  rmSync(folder, { recursive: true })
})

function open(options: { maxBytes?: number } = {}): Store {
  const store = openStore(folder, { clock, ...options })
  opened.push(store)
  return store
}

function put(store: Store, key: string, value: object = {}): number {
  const expected = store.get(THINGS, key)?.revision ?? 0
  return store.put(THINGS, key, expected, () => ({ ...value }))!.revision
}

function code(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return (error as { code?: unknown }).code
  }
  return 'no error'
}

describe('opening again', () => {
  test('S21: everything is as it was, and revisions go on', () => {
    const first = open()
    put(first, 'a', { n: 1 })
    put(first, 'a', { n: 2 })
    put(first, 'b', { text: 'é', list: [1, null] })
    const gone = put(first, 'c')
    first.delete(THINGS, 'c', gone, () => ({}))
    first.close()
    const second = open()
    expect(second.revision).toBe(first.revision)
    expect(second.snapshot(range).map(({ key, revision, value }) => [key, revision, value])).toEqual([
      ['a', 3, { n: 2 }],
      ['b', 4, { text: 'é', list: [1, null] }],
    ])
    expect(put(second, 'd')).toBe(first.revision + 1)
  })

  test('S28: version and labels are known again', () => {
    const first = open()
    put(first, 'a', { apiVersion: 'v1', metadata: { labels: { app: 'web' } } })
    first.close()
    expect(open().get(THINGS, 'a')).toMatchObject({ apiVersion: 'v1', labels: { app: 'web' } })
  })

  test('S21: a value that was read back is frozen, and whole numbers beyond 2^53 are what they were', () => {
    const first = open()
    const large = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON('9007199254740993')
    put(first, 'a', {
      large,
      near: 9007199254740991,
      fraction: 0.1234567890123456,
      name: '9007199254740993',
    })
    const json = Buffer.from(first.get(THINGS, 'a')!.json).toString()
    first.close()
    const { value } = open().get(THINGS, 'a')!
    expect(JSON.stringify(value)).toBe(json)
    expect(() => ((value as { near: number }).near = 1)).toThrow(TypeError)
  })

  test('S22: the history begins where the store was opened', async () => {
    const first = open()
    const old = put(first, 'a')
    const last = put(first, 'a')
    first.close()
    const second = open()
    expect(() => second.watch(range, old, () => {}).take()).toThrow(RevisionExpired)
    expect(() => second.snapshot(range, old)).toThrow(RevisionExpired)
    const watch = second.watch(range, last, () => {})
    expect(watch.take()).toBeUndefined()
    put(second, 'b')
    await second.saved()
    expect(watch.take()?.entry.key).toBe('b')
  })

  test('S21: a file that grew beside the main one is read too, as after a crash', () => {
    const script = `
      const { openStore } = await import(${JSON.stringify(module)})
      const { SystemClock } = await import('@homeostat/api')
      const store = openStore(${JSON.stringify(folder)}, { clock: new SystemClock() })
      for (let n = 0; n < 100; n++) store.put('things', 'k' + n, 0, () => ({ n }))
      await store.saved()
      store.put('things', 'unsaved', 0, () => ({}))
      process.kill(process.pid, 'SIGKILL')`
    const { signal } = spawnSync(
      process.execPath,
      ['--conditions=source', '--input-type=module', '-e', script],
      {
        cwd: import.meta.dirname,
      },
    )
    expect(signal).toBe('SIGKILL')
    expect(existsSync(`${file}-wal`)).toBe(true)
    const store = open()
    expect(store.snapshot(range)).toHaveLength(100)
    expect(store.revision).toBe(101)
  })
})

describe('telling', () => {
  test('S20: no watch gets a change before it is safe', async () => {
    const store = open()
    const told: StoreEvent[] = []
    const watch = store.watch(range, store.revision, () => {
      for (let event = watch.take(); event; event = watch.take()) told.push(event)
    })
    expect(watch.take()).toBeUndefined()
    put(store, 'a')
    put(store, 'b')
    const saved = store.saved()
    expect(watch.take()).toBeUndefined()
    expect(told).toEqual([])
    await saved
    expect(told.map(({ entry }) => entry.key)).toEqual(['a', 'b'])
    expect(store.saved()).toBeUndefined()
  })

  test('S23: changes of one round become one transaction', async () => {
    const store = open()
    const writes = (): number => statSync(`${file}-wal`).size
    put(store, 'first')
    await store.saved()
    const before = writes()
    put(store, 'alone')
    await store.saved()
    const alone = writes() - before
    for (let n = 0; n < 20; n++) put(store, `together-${n}`)
    await store.saved()
    // Twenty transactions would write at least twenty times the pages of one.
    expect(writes() - before - alone).toBeLessThan(alone * 3)
  })

  test('S20: simulated time waits until changes are safe', async () => {
    const store = open()
    put(store, 'a')
    await clock.settle()
    expect(store.saved()).toBeUndefined()
  })
})

describe('a disk that is full', () => {
  test('S24: is reported, shows no change that is not safe, refuses further writes, and keeps all safe changes', async () => {
    const text = 'x'.repeat(100_000)
    const store = open({ maxBytes: 300_000 })
    put(store, 'fits', { text })
    await store.saved()
    const watch = store.watch(range, store.revision, () => {})
    for (const key of ['a', 'b', 'c']) put(store, key, { text })
    await expect(store.saved()).rejects.toMatchObject({
      code: 'STORE_FULL',
      message: expect.stringContaining(`${file} has no room to grow: free space`),
    })
    expect(watch.take()).toBeUndefined()
    expect(code(() => put(store, 'd'))).toBe('STORE_FULL')
    await expect(store.saved()).rejects.toMatchObject({ code: 'STORE_FULL' })
    expect(code(() => store.close())).toBe('STORE_FULL')
    // Safe changes are there, others are not, and no change is there in part.
    const again = open()
    expect(again.snapshot(range).map(({ key }) => key)).toEqual(['fits'])
    opened = [again]
  })
})

describe('a file that cannot be used', () => {
  test('S25: one that another process has is refused', async () => {
    const script = `
      const { openStore } = await import(${JSON.stringify(module)})
      const { SystemClock } = await import('@homeostat/api')
      openStore(${JSON.stringify(folder)}, { clock: new SystemClock() })
      console.log('open')
      process.stdin.resume()`
    const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    try {
      await new Promise((resolve) => child.stdout.once('data', resolve))
      expect(() => open()).toThrow(
        `the store ${file} is in use by another process: stop that one, or choose another folder`,
      )
    } finally {
      child.kill('SIGKILL')
      await ended
    }
    open()
  })

  test('S25: one that this process has is refused, until it is closed', () => {
    const first = open()
    expect(code(() => open())).toBe('STORE_IN_USE')
    first.close()
    open()
  })

  test.each([
    [
      'text',
      Buffer.from('this is not a database, but a letter to a friend, and it goes on for a while '.repeat(40)),
    ],
    ['bytes', Buffer.alloc(10_000, 7)],
  ])('S25: one of another kind is refused and left alone: %s', (_kind, content) => {
    writeFileSync(file, content)
    expect(code(() => open())).toBe('STORE_FOREIGN')
    expect(readFileSync(file)).toEqual(content)
  })

  test('S25: an SQLite file of another program is refused and left alone', () => {
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE songs (title TEXT)')
    other.close()
    const before = readFileSync(file)
    expect(code(() => open())).toBe('STORE_FOREIGN')
    expect(readFileSync(file)).toEqual(before)
  })

  test('S25: one of a newer version is refused', () => {
    open().close()
    const database = new DatabaseSync(file)
    database.exec('PRAGMA user_version = 3')
    database.close()
    expect(() => open()).toThrow('was written by a newer version of this server (form 3)')
  })

  test('S25: one whose bytes have changed is refused, and the place is named', () => {
    const store = open()
    for (let n = 0; n < 50; n++) put(store, `k${n}`, { text: `value number ${n}` })
    store.close()
    const bytes = readFileSync(file)
    const at = bytes.indexOf('value number 33')
    bytes.write('v', at + 1)
    writeFileSync(file, bytes)
    expect(() => open()).toThrow(`the store ${file} is damaged at things k33`)
  })

  test('S25: one that was cut off is refused', () => {
    const store = open()
    for (let n = 0; n < 50; n++) put(store, `k${n}`, { text: 'x'.repeat(2_000) })
    store.close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length / 2))
    expect(code(() => open())).toBe('STORE_CORRUPT')
  })

  test('S25: a folder that cannot be made is named', () => {
    writeFileSync(join(folder, 'letter'), 'dear friend')
    expect(() => openStore(join(folder, 'letter', 'data'), { clock })).toThrow(
      'cannot be created: a file has the name of its folder',
    )
    mkdirSync(file)
    expect(code(() => open())).toBe('STORE_FOREIGN')
  })

  test('S25: a folder that may not be written is named', () => {
    chmodSync(folder, 0o555)
    const script = `
      if (process.getuid?.() === 0) process.setuid(65534)
      const { openStore } = await import(${JSON.stringify(module)})
      const { SystemClock } = await import('@homeostat/api')
      try { openStore(${JSON.stringify(folder)}, { clock: new SystemClock() }) }
      catch (error) { console.log(error.code, error.message) }`
    const { stdout } = spawnSync(
      process.execPath,
      ['--conditions=source', '--input-type=module', '-e', script],
      {
        cwd: import.meta.dirname,
        encoding: 'utf8',
      },
    )
    expect(stdout).toContain(`STORE_NOT_WRITABLE the store ${file} may not be opened`)
  })

  test('S26: only the owner can read the file', () => {
    const store = open()
    put(store, 'a')
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o777).toBe(0o600)
  })
})
