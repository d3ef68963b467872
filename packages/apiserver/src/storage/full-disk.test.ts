import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ApiServer } from '../server.ts'
import { callJson, type JsonAnswer } from '../testing/index.ts'
import { openStore, type OpenStoreOptions } from './open-store.ts'
import type { Store } from './store.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const KiB = 1024
const MiB = 1024 * KiB

let root: string
let folder: string
let clock: SimulatedClock
let store: Store
let server: ApiServer
let mounted = false

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'homeostat-full-'))
  folder = join(root, 'disk')
  mkdirSync(folder)
  clock = new SimulatedClock()
})
afterEach(async () => {
  await server.close()
  store.close()
  // The note of what was acknowledged may still be on its way to the disk.
  if (mounted) spawnSync('umount', ['--lazy', folder])
  mounted = false
  rmSync(root, { recursive: true, force: true })
})

async function start(options: Partial<OpenStoreOptions>): Promise<void> {
  store = openStore(join(folder, 'data'), { clock, ...options })
  server = await ApiServer.start({ store, clock })
}

function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<JsonAnswer> {
  return callJson(server.handler, method, path, body ? { body } : {})
}

function create(name: string, more: object = {}): Promise<JsonAnswer> {
  return call('POST', MAPS, { metadata: { name, ...more }, data: { text: 'x'.repeat(200_000) } })
}

/** Creates until the disk is full. Returns how many were acknowledged. */
async function fill(): Promise<number> {
  expect((await create('held', { finalizers: ['test.dev/hold'] })).code).toBe(201)
  for (let count = 0; count < 500; count++) {
    const { code, body } = await create(`c${count}`)
    if (code === 201) continue
    // A real server's message, which test/full-store.kubernetes.test.ts checks, and then ours.
    expect(code).toBe(500)
    expect(body.reason).toBeUndefined()
    expect(body.message).toMatch(
      /^etcdserver: mvcc: database space exceeded: the store \S+ has no room to grow\. Free space/,
    )
    return count
  }
  throw new Error('the disk was never full')
}

/** The promise of S24, from a full disk on. */
async function servesOn(filled: number): Promise<void> {
  // Reads.
  expect((await call('GET', `${MAPS}/c0`)).code).toBe(200)
  expect((await call('GET', MAPS)).body.items).toHaveLength(filled + 1)
  expect((await callJson(server.handler, 'GET', '/readyz')).code).toBe(200)
  // Other writes are refused, each time.
  const update = { metadata: { name: 'c0' }, data: { text: 'y' } }
  expect((await call('PUT', `${MAPS}/c0`, update)).code).toBe(500)
  // Deletions succeed, also those that begin with an update.
  expect((await call('DELETE', `${MAPS}/held`)).code).toBe(200)
  const held = await call('GET', `${MAPS}/held`)
  expect(held.body.metadata.deletionTimestamp).toBeDefined()
  const { finalizers: _done, ...metadata } = held.body.metadata
  expect((await call('PUT', `${MAPS}/held`, { ...held.body, metadata })).code).toBe(200)
  expect((await call('GET', `${MAPS}/held`)).code).toBe(404)
  for (let count = 1; count < filled; count++) {
    expect((await call('DELETE', `${MAPS}/c${count}`)).code, `c${count}`).toBe(200)
  }
}

async function isKept(options: Partial<OpenStoreOptions> = {}): Promise<void> {
  const { revision } = store
  const maps = (await call('GET', MAPS)).body.items.map((item: any) => item.metadata.name)
  await server.close()
  store.close()
  await start(options)
  expect(store.revision).toBeGreaterThanOrEqual(revision)
  expect((await call('GET', MAPS)).body.items.map((item: any) => item.metadata.name)).toEqual(maps)
}

it('S24: a store that has reached its limit serves reads and deletions, and writes again when there is room', async () => {
  await start({ maxBytes: 4 * MiB, reserveBytes: 4 * KiB })
  const filled = await fill()
  expect(filled).toBeGreaterThan(5)
  await servesOn(filled)
  expect((await create('again')).code).toBe(201)
  await isKept()
})

const mounts = process.getuid?.() === 0 && canMount()

/** A disk of its own, in memory: only root may make one. */
function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'homeostat-mount-'))
  try {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]).status !== 0) return false
    return spawnSync('umount', [path]).status === 0
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

// Only root can make a small disk.
describe.skipIf(!mounts)('S24: on a disk that is full', () => {
  const RESERVE = 8 * MiB
  beforeEach(() => {
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', folder])
    if (status !== 0) throw new Error('the disk could not be mounted')
    mounted = true
  })

  const free = (): number => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }

  it('reads and deletions are served, and writes again when there is room', async () => {
    await start({ reserveBytes: RESERVE })
    const filled = await fill()
    expect(filled).toBeGreaterThan(20)
    await servesOn(filled)
    // The file does not shrink, but has room for others.
    const left = filled / 2
    for (let count = 0; count < left; count++) expect((await create(`e${count}`)).code, `e${count}`).toBe(201)
    await isKept({ reserveBytes: RESERVE })
  })

  it('that another program has filled, deletions still work, and writes again once it makes room', async () => {
    await start({ reserveBytes: RESERVE })
    for (let count = 0; count < 10; count++) expect((await create(`c${count}`)).code).toBe(201)
    const other = join(folder, 'other')
    for (let size = free(); free() > 8 * KiB && size >= 4 * KiB; size = Math.floor(size / 2)) {
      try {
        writeFileSync(other, Buffer.alloc(size, 1), { flag: 'a' })
      } catch {
        // Half of it may still fit.
      }
    }
    const codes: number[] = []
    for (let count = 0; count < 60 && codes.at(-1) !== 500; count++)
      codes.push((await create(`d${count}`)).code)
    expect(codes.at(-1)).toBe(500)
    expect(existsSync(join(folder, 'data/store.db-reserve'))).toBe(false)
    for (let count = 0; count < 3; count++) {
      expect((await call('DELETE', `${MAPS}/c${count}`)).code, `c${count}`).toBe(200)
    }
    expect((await create('refused')).code).toBe(500)
    rmSync(other)
    expect((await create('taken')).code).toBe(201)
    expect(existsSync(join(folder, 'data/store.db-reserve'))).toBe(true)
    await isKept({ reserveBytes: RESERVE })
  })

  it('a server starts, and serves reads', async () => {
    await start({ reserveBytes: RESERVE })
    expect((await create('kept')).code).toBe(201)
    await server.close()
    store.close()
    rmSync(join(folder, 'data/store.db-reserve'))
    const other = join(folder, 'other')
    writeFileSync(other, Buffer.alloc(Math.max(0, free() - 128 * KiB), 1))
    await start({ reserveBytes: RESERVE })
    expect((await call('GET', `${MAPS}/kept`)).code).toBe(200)
    expect((await create('refused')).code).toBe(500)
    expect((await call('DELETE', `${MAPS}/kept`)).code).toBe(500)
    expect((await call('GET', `${MAPS}/kept`)).code).toBe(200)
    rmSync(other)
    expect((await call('DELETE', `${MAPS}/kept`)).code).toBe(200)
  })
})
