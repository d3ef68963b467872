import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SimulatedClock, type HomeostatError } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AcknowledgedRevision } from './journal/acknowledged-revision.ts'
import { openStore } from './open-store.ts'
import type { DataLoss } from './journal/index.ts'
import type { Store } from './store.ts'

const THINGS = 'things'
const WRITES = 40
const clock = new SimulatedClock()
/** A reserve takes time to write, and is not what these tests are about. */
const options = { clock, reserveBytes: 4096 }

let root: string
let opened: Store[]
/** A store as a kill of its process leaves it, with its changes in the log. */
let folder: string
let file: string

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'homeostat-damage-'))
  opened = []
  folder = await killedStore('killed', WRITES)
  file = join(folder, 'store.db')
})
afterEach(() => {
  for (const store of opened) store.close()
  rmSync(root, { recursive: true })
})

function open(path = folder, acceptDataLoss?: (loss: DataLoss) => void): Store {
  const store = openStore(path, { ...options, acceptDataLoss })
  opened.push(store)
  return store
}

async function write(store: Store, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    const key = `k${n % 10}`
    const expected = store.get(THINGS, key)?.revision ?? 0
    store.put(THINGS, key, expected, (revision) => ({ revision, text: 'x'.repeat(500) }))
    await store.saved()
  }
}

/** Copies the files of a store that is at rest: what the disk holds when its process is killed. */
async function killedStore(name: string, writes: number): Promise<string> {
  const [live, copy] = [join(root, `${name}-live`), join(root, name)]
  const store = openStore(live, options)
  await write(store, writes)
  cpSync(live, copy, { recursive: true })
  store.close()
  return copy
}

function filesOf(path: string): Map<string, string> {
  return new Map(readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'hex')]))
}

function flip(path: string, at: number, count = 64): void {
  const bytes = readFileSync(path)
  for (let index = at; index < Math.min(bytes.length, at + count); index++) bytes[index]! ^= 0xff
  writeFileSync(path, bytes)
}

/** Why the store is refused; its files must be as they were. */
function refusal(): HomeostatError {
  const before = filesOf(folder)
  try {
    open()
  } catch (error) {
    expect(filesOf(folder)).toEqual(before)
    return error as HomeostatError
  }
  throw new Error('the store was opened')
}

const LAST = WRITES + 1

it('S21: a store whose process was killed is whole', () => {
  expect(open().revision).toBe(LAST)
})

describe('S25: lost acknowledged changes are detected, and the files are not changed', () => {
  it('after damage in the log', () => {
    flip(`${file}-wal`, readFileSync(`${file}-wal`).length / 2)
    const { code, message } = refusal()
    expect(code).toBe('STORE_INCOMPLETE')
    expect(message).toMatch(
      new RegExp(
        `^the store ${file} is incomplete: it ends at revision \\d+, but revision ${LAST} was acknowledged; its log ${file}-wal is damaged\\. Restore a backup of the whole folder, or start once with --accept-data-loss`,
      ),
    )
  })

  it.each([
    ['log', '-wal'],
    ['file', ''],
  ])('after damage anywhere in the %s, or nothing is missing', async (_what, suffix) => {
    if (suffix === '') {
      const store = openStore(folder, options)
      store.close()
    }
    const whole = join(root, 'whole')
    cpSync(folder, whole, { recursive: true })
    const { length } = readFileSync(file + suffix)
    let refused = 0
    for (let place = 0; place < 60; place++) {
      rmSync(folder, { recursive: true })
      cpSync(whole, folder, { recursive: true })
      flip(file + suffix, Math.floor((length * place) / 60), 8)
      try {
        const store = openStore(folder, options)
        expect(store.revision, `byte ${Math.floor((length * place) / 60)}`).toBe(LAST)
        expect(store.snapshot({ collection: THINGS })).toHaveLength(10)
        store.close()
      } catch (error) {
        expect((error as HomeostatError).code).toMatch(/^STORE_(?:CORRUPT|INCOMPLETE|FOREIGN|TOO_NEW)$/)
        refused++
      }
    }
    expect(refused).toBeGreaterThan(10)
  })

  it('after the log was removed', () => {
    rmSync(`${file}-wal`)
    const { code, message } = refusal()
    expect(code).toBe('STORE_INCOMPLETE')
    expect(message).toContain('was removed, or the file is an earlier copy')
  })

  it('after the log was cut off', () => {
    const whole = readFileSync(`${file}-wal`)
    for (const length of [0, 1, 32, 100, whole.length / 2]) {
      writeFileSync(`${file}-wal`, whole.subarray(0, length))
      expect(refusal().code, `${length} bytes`).toBe('STORE_INCOMPLETE')
    }
    writeFileSync(`${file}-wal`, whole)
    truncateSync(`${file}-wal`, readFileSync(`${file}-wal`).length - 5_000)
    expect(refusal().code).toBe('STORE_INCOMPLETE')
  })

  it('after the file was emptied or removed, with its log or without', () => {
    truncateSync(file, 0)
    expect(refusal().message).toContain(`the file is empty, though revision ${LAST} was acknowledged`)
    rmSync(file)
    expect(refusal().message).toContain(`the file is missing, though revision ${LAST} was acknowledged`)
    rmSync(`${file}-wal`)
    expect(refusal().code).toBe('STORE_INCOMPLETE')
  })

  it('where there is only an empty file or a log', () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    writeFileSync(file, '')
    expect(refusal()).toMatchObject({
      code: 'STORE_INCOMPLETE',
      message: expect.stringContaining('the file is empty. Restore'),
    })
    rmSync(file)
    writeFileSync(`${file}-wal`, 'some')
    expect(refusal().message).toContain('the file is missing. Restore')
  })

  it('after the file was replaced by an earlier copy', async () => {
    const store = openStore(folder, options)
    store.close()
    const earlier = join(root, 'earlier.db')
    copyFileSync(file, earlier)
    const again = openStore(folder, options)
    await write(again, 5)
    again.close()
    copyFileSync(earlier, file)
    expect(refusal().message).toContain(
      `it ends at revision ${LAST}, but revision ${LAST + 5} was acknowledged`,
    )
  })

  it.each(['-wal', '-acknowledged'])(
    'after store.db%s was replaced by that of another store',
    async (suffix) => {
      const other = join(await killedStore('other', WRITES + 5), 'store.db')
      copyFileSync(other + suffix, file + suffix)
      expect(refusal().code).toMatch(/^STORE_(?:CORRUPT|INCOMPLETE)$/)
    },
  )

  it('after the file was replaced by that of another store', async () => {
    const other = await killedStore('other', WRITES + 5)
    for (const path of [folder, other]) openStore(path, options).close()
    copyFileSync(join(other, 'store.db'), file)
    const { code, message } = refusal()
    expect(code).toBe('STORE_CORRUPT')
    expect(message).toContain('belongs to another store')
  })

  it('after the note was removed or damaged', () => {
    writeFileSync(`${file}-acknowledged`, 'nothing')
    expect(refusal().message).toContain('which notes the acknowledged revision, is damaged')
    rmSync(`${file}-acknowledged`)
    expect(refusal().message).toContain('which notes the acknowledged revision, is missing')
  })
})

describe('S25: unacknowledged changes may be lost', () => {
  it('a last write that was cut off', async () => {
    const live = join(root, 'torn-live')
    const store = openStore(live, options)
    await write(store, 5)
    const before = readFileSync(join(live, 'store.db-wal')).length
    const note = readFileSync(join(live, 'store.db-acknowledged'))
    await write(store, 1)
    const torn = join(root, 'torn')
    cpSync(live, torn, { recursive: true })
    store.close()
    // The process ended after half of the write, and before it could note that.
    const after = readFileSync(join(torn, 'store.db-wal')).length
    truncateSync(join(torn, 'store.db-wal'), (before + after) / 2)
    writeFileSync(join(torn, 'store.db-acknowledged'), note)
    expect(open(torn).revision).toBe(6)
  })

  it('one copy of the note that was cut off', () => {
    flip(`${file}-acknowledged`, 0)
    expect(open().revision).toBe(LAST)
  })

  it('a store whose first start was cut off', () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    // The note comes first, then an empty file, then the tables.
    AcknowledgedRevision.create(`${file}-acknowledged`)
    open().close()
    rmSync(file)
    expect(refusal().message).toContain('the file is missing, though revision 1 was acknowledged')
    rmSync(`${file}-acknowledged`)
    AcknowledgedRevision.create(`${file}-acknowledged`)
    writeFileSync(file, '')
    expect(open().revision).toBe(1)
  })
})

describe('S29: a loss that is accepted', () => {
  it('keeps what can be read, moves the damaged files aside, and uses no revision twice', () => {
    flip(`${file}-wal`, readFileSync(`${file}-wal`).length / 2)
    const before = filesOf(folder)
    const { message } = refusal()
    const losses: DataLoss[] = []
    const store = open(folder, (loss) => losses.push(loss))
    expect(losses).toEqual([
      {
        problem: message,
        movedTo: expect.stringContaining(join(folder, 'damaged-2026-01-01T12-00-00')),
        objects: 10,
        readRevision: expect.any(Number),
        acknowledgedRevision: LAST,
      },
    ])
    const [{ movedTo, readRevision }] = losses as [DataLoss]
    expect(readRevision).toBeLessThan(LAST)
    expect(readRevision).toBeGreaterThan(2)
    const moved = filesOf(movedTo)
    for (const name of ['store.db', 'store.db-wal', 'store.db-acknowledged']) {
      expect(moved.get(name) === before.get(name), name).toBe(true)
    }
    expect(store.revision).toBeGreaterThan(LAST)
    expect(store.snapshot({ collection: THINGS })).toHaveLength(10)
    // A watch from what is lost is told to list again.
    expect(() => store.watch({ collection: THINGS }, LAST, () => {}).take()).toThrow('too old')
    store.close()
    expect(open().revision).toBe(store.revision)
  })

  it('begins with an empty store where nothing can be read', () => {
    truncateSync(file, 0)
    const losses: DataLoss[] = []
    const store = open(folder, (loss) => losses.push(loss))
    expect(losses).toMatchObject([{ objects: 0, acknowledgedRevision: LAST }])
    expect(store.revision).toBeGreaterThan(LAST)
    expect(store.snapshot({ collection: THINGS })).toEqual([])
  })

  it('keeps what stands before and after damage in the file', () => {
    openStore(folder, options).close()
    flip(file, readFileSync(file).length - 2_500, 400)
    const losses: DataLoss[] = []
    open(folder, (loss) => losses.push(loss))
    expect(losses).toHaveLength(1)
    expect(losses[0]!.objects).toBeLessThan(10)
    expect(losses[0]!.objects).toBeGreaterThan(0)
  })

  it('changes nothing where nothing is lost', () => {
    const losses: DataLoss[] = []
    expect(open(folder, (loss) => losses.push(loss)).revision).toBe(LAST)
    expect(losses).toEqual([])
  })
})

describe('a store of an earlier version', () => {
  function makeOld(damaged = false): void {
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    const current = join(root, 'current')
    const store = openStore(current, options)
    store.put(THINGS, 'a', 0, () => ({ n: 1 }))
    store.close()
    copyFileSync(join(current, 'store.db'), file)
    const database = new DatabaseSync(file)
    database.exec(
      'DROP TABLE state; CREATE TABLE state (revision INTEGER NOT NULL) STRICT; INSERT INTO state VALUES (2); PRAGMA user_version = 1',
    )
    if (damaged) database.exec("UPDATE entries SET value = x'7b7d'")
    database.close()
  }

  it('is taken over, and guarded from then on', () => {
    makeOld()
    expect(open().get(THINGS, 'a')?.value).toEqual({ n: 1 })
    for (const store of opened) store.close()
    expect(existsSync(`${file}-acknowledged`)).toBe(true)
    expect(open().revision).toBe(2)
  })

  it('is refused when it is damaged', () => {
    makeOld(true)
    expect(() => open()).toThrow('is damaged at things a')
  })
})
