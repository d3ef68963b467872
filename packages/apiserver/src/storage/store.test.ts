import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exactInteger, SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RevisionStore } from './revision-store.ts'
import { openStore } from './open-store.ts'
import { RevisionExpired, type Store, type StoreEvent, type StoreWatch } from './store.ts'

const THINGS = 'things'
const range = { collection: THINGS }

interface Limits {
  readonly history?: number
  readonly historyBytes?: number
  readonly parsedBytes?: number
}

function put(store: Store, key: string, value: object = {}): number {
  const expected = store.get(THINGS, key)?.revision ?? 0
  return store.put(THINGS, key, expected, () => ({ ...value }))!.revision
}

function remove(store: Store, key: string): number {
  const entry = store.get(THINGS, key)!
  return store.delete(THINGS, key, entry.revision, () => ({ ...entry.value }))!.revision
}

/** The events of a watch, once all changes are safe. */
async function takeAll(store: Store, watch: StoreWatch): Promise<StoreEvent[]> {
  await store.saved()
  const events: StoreEvent[] = []
  for (let event = watch.take(); event; event = watch.take()) events.push(event)
  return events
}

const told = (events: StoreEvent[]): string[] => events.map(({ type, entry }) => `${type} ${entry.key}`)
const keys = (entries: readonly { key: string }[]): string[] => entries.map(({ key }) => key)

let folder: string
let clock: SimulatedClock

/** Every kind of store keeps every rule. */
const kinds: [string, (limits?: Limits) => Store][] = [
  ['in memory', (limits) => new RevisionStore({ clock, ...limits })],
  ['in a file', (limits) => openStore(folder, { clock, ...limits })],
]

describe.each(kinds)('a store %s', (_kind, open) => {
  let store: Store

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'homeostat-store-'))
    clock = new SimulatedClock()
  })
  afterEach(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })

  describe('revisions', () => {
    test('S1: changes of all collections take the next revisions of one counter, from 1', () => {
      store = open()
      expect(store.revision).toBe(1)
      expect(store.put('a', 'x', 0, () => ({}))?.revision).toBe(2)
      expect(store.put('b', 'x', 0, () => ({}))?.revision).toBe(3)
      expect(store.delete('a', 'x', 2, () => ({}))?.revision).toBe(4)
      expect(store.revision).toBe(4)
    })

    test('S2: a write that names another revision than the entry has writes nothing', () => {
      store = open()
      const value = vi.fn<() => Record<string, unknown>>(() => ({}))
      const revision = put(store, 'a')
      expect(store.put(THINGS, 'a', 0, value)).toBeUndefined()
      expect(store.put(THINGS, 'a', revision + 1, value)).toBeUndefined()
      expect(store.put(THINGS, 'b', revision, value)).toBeUndefined()
      expect(store.delete(THINGS, 'a', revision - 1, value)).toBeUndefined()
      expect(store.delete(THINGS, 'b', 0, value)).toBeUndefined()
      expect(value).not.toHaveBeenCalled()
      expect(store.revision).toBe(revision)
    })

    test('S2: an exception while a value is made changes nothing', () => {
      store = open()
      const fail = (): never => {
        throw new Error('no value')
      }
      expect(() => store.put(THINGS, 'a', 0, fail)).toThrow('no value')
      expect(store.revision).toBe(1)
      expect(put(store, 'a')).toBe(2)
    })

    test('S3: the function that makes a value gets its revision', () => {
      store = open()
      put(store, 'a')
      expect(store.put(THINGS, 'b', 0, (revision) => ({ revision }))?.value).toEqual({ revision: 3 })
    })

    test('S4: a stored value is frozen all the way down', () => {
      store = open()
      put(store, 'a', { list: [{ deep: true }] })
      const value = store.get(THINGS, 'a')!.value as { list: { deep: boolean }[] }
      expect(() => (value.list[0]!.deep = false)).toThrow(TypeError)
      expect(() => value.list.push({ deep: true })).toThrow(TypeError)
    })

    test('S5: an entry is encoded once', () => {
      store = open()
      put(store, 'a', { text: 'é' })
      const entry = store.get(THINGS, 'a')!
      expect(new TextDecoder().decode(entry.json)).toBe('{"text":"é"}')
      expect(entry.json).toBe(entry.json)
    })
  })

  describe('values', () => {
    const object = {
      apiVersion: 'v1',
      metadata: { labels: { app: 'web' } },
      big: 2n ** 60n,
      list: [{ n: 1 }],
    }
    const written = { ...object, big: exactInteger(object.big) }

    test('S27: a value that was not used lately is parsed again, equal and frozen', () => {
      store = open({ parsedBytes: 1_000 })
      put(store, 'a', written)
      const { value } = store.get(THINGS, 'a')!
      for (let index = 0; index < 100; index++) put(store, `b${index}`, written)
      const again = store.get(THINGS, 'a')!.value as typeof written
      expect(again).not.toBe(value)
      expect(again).toEqual(value)
      expect(JSON.stringify(again)).toBe(JSON.stringify(written))
      expect(() => (again.list[0]!.n = 2)).toThrow(TypeError)
      expect(() => ((value as typeof written).list[0]!.n = 2)).toThrow(TypeError)
    })

    test('S27: a value that is used again and again is kept', () => {
      store = open({ parsedBytes: 1_000 })
      put(store, 'a', written)
      const entry = store.get(THINGS, 'a')!
      const { value } = entry
      for (let index = 0; index < 100; index++) {
        put(store, `b${index}`, written)
        expect(entry.value).toBe(value)
      }
    })

    test('S27: a value among few stays parsed', () => {
      store = open()
      put(store, 'a', written)
      const { value } = store.get(THINGS, 'a')!
      for (let index = 0; index < 100; index++) put(store, `b${index}`, written)
      expect(store.get(THINGS, 'a')!.value).toBe(value)
    })

    test('S27: a deleted entry, and an entry before its change, can be read although neither is kept in memory', async () => {
      store = open({ parsedBytes: 0 })
      const after = put(store, 'a', { n: 1 })
      put(store, 'a', { n: 2 })
      remove(store, 'a')
      for (let index = 0; index < 5; index++) put(store, `b${index}`)
      const [changed, deleted] = await takeAll(
        store,
        store.watch(range, after, () => undefined),
      )
      expect(changed).toMatchObject({ entry: { value: { n: 2 } }, previous: { value: { n: 1 } } })
      expect(deleted).toMatchObject({ entry: { value: { n: 2 } }, previous: { value: { n: 2 } } })
    })

    test('S28: version and labels of an entry can be read without parsing', () => {
      store = open({ parsedBytes: 0 })
      put(store, 'a', written)
      put(store, 'b', { metadata: {} })
      put(store, 'c')
      expect(store.get(THINGS, 'a')).toMatchObject({ apiVersion: 'v1', labels: { app: 'web' } })
      expect(store.get(THINGS, 'b')).toMatchObject({ apiVersion: undefined, labels: undefined })
      expect(store.get(THINGS, 'c')).toMatchObject({ apiVersion: undefined, labels: undefined })
    })
  })

  describe('reading', () => {
    test('S6: a snapshot is in the order of keys, and later writes do not change it', () => {
      store = open()
      for (const key of ['b', 'a', 'c']) put(store, key)
      const snapshot = store.snapshot({ collection: THINGS })
      put(store, 'aa')
      remove(store, 'b')
      expect(keys(snapshot)).toEqual(['a', 'b', 'c'])
      expect(keys(store.snapshot({ collection: THINGS }))).toEqual(['a', 'aa', 'c'])
    })

    test('S7: a snapshot of the past shows each entry as it was then', () => {
      store = open()
      put(store, 'a', { n: 1 })
      const then = put(store, 'b', { n: 1 })
      put(store, 'a', { n: 2 })
      put(store, 'c')
      remove(store, 'b')
      put(store, 'b', { n: 9 })
      const past = store.snapshot({ collection: THINGS }, then)
      expect(past.map(({ key, value }) => [key, value])).toEqual([
        ['a', { n: 1 }],
        ['b', { n: 1 }],
      ])
    })

    test('S7: the state at every revision can be read, until it is forgotten', () => {
      store = open()
      const states = new Map<number, string[]>([[store.revision, []]])
      for (let step = 0; step < 60; step++) {
        const key = `k${(step * 7) % 11}`
        if (store.get(THINGS, key) && step % 3 === 0) remove(store, key)
        else put(store, key, { step })
        states.set(store.revision, keys(store.snapshot({ collection: THINGS })))
      }
      for (const [revision, state] of states) {
        expect(keys(store.snapshot({ collection: THINGS }, revision))).toEqual(state)
      }
      store.compact(30)
      expect(keys(store.snapshot({ collection: THINGS }, 30))).toEqual(states.get(30))
      expect(() => store.snapshot({ collection: THINGS }, 29)).toThrow(RevisionExpired)
    })

    test('S8: a prefix selects the keys that begin with it', () => {
      store = open()
      for (const key of ['n/a', 'n/b', 'n-2/a', 'n0/a', 'm/z']) put(store, key)
      const range = { collection: THINGS, prefix: 'n/' }
      const revision = store.revision
      expect(keys(store.snapshot(range))).toEqual(['n/a', 'n/b'])
      put(store, 'n/c')
      remove(store, 'n/a')
      expect(keys(store.snapshot(range, revision))).toEqual(['n/a', 'n/b'])
    })

    test('S30: a page is a part of the snapshot, and says how many entries follow', () => {
      store = open()
      // More than one run of sorted entries, in three namespaces.
      for (let index = 0; index < 1_500; index++)
        put(store, `${'mno'[index % 3]}/${String(index).padStart(4, '0')}`)
      const revision = store.revision
      const changed = (): void => {
        put(store, 'n/0001')
        put(store, 'n/9999')
        remove(store, 'n/0004')
      }
      for (const prepare of [() => {}, changed]) {
        prepare()
        for (const prefix of ['', 'n/', 'x/']) {
          for (const after of [undefined, 'a', 'm/0600', 'n/0001', 'n/0750', 'n/9999', 'o/1499', 'z']) {
            for (const limit of [1, 2, 499, 500, 5_000, Infinity]) {
              for (const at of [undefined, revision]) {
                const range = { collection: THINGS, prefix }
                const all = store.snapshot(range, at).filter(({ key }) => key > (after ?? ''))
                const page = store.page(range, { after, limit }, at)
                expect(keys(page.entries)).toEqual(keys(all.slice(0, limit)))
                expect(page.remaining).toBe(Math.max(0, all.length - limit))
              }
            }
          }
        }
      }
    })

    test('the extent of a collection is its number of entries, its first and its last', () => {
      store = open()
      expect(store.extent(THINGS)).toEqual({ length: 0, first: undefined, last: undefined })
      for (let index = 0; index < 1_100; index++) put(store, String(index).padStart(4, '0'))
      remove(store, '0000')
      const { length, first, last } = store.extent(THINGS)
      expect([length, first?.key, last?.key]).toEqual([1_099, '0001', '1099'])
    })
  })

  describe('watching', () => {
    test('S9, S10, S12: events come once each, in order, with none left out', async () => {
      store = open()
      const watch = store.watch(range, store.revision, () => {})
      for (let step = 0; step < 100; step++) put(store, `k${step % 7}`, { step })
      const events = await takeAll(store, watch)
      expect(events.map((event) => event.revision)).toEqual(
        Array.from({ length: 100 }, (_, index) => index + 2),
      )
      expect(watch.take()).toBeUndefined()
    })

    test('S11: an event holds the entry before and after', async () => {
      store = open()
      put(store, 'a', { n: 1 })
      const watch = store.watch(range, store.revision, () => {})
      put(store, 'a', { n: 2 })
      const [event] = await takeAll(store, watch)
      expect(event?.type).toBe('updated')
      expect(event?.previous?.value).toEqual({ n: 1 })
      expect(event?.entry.value).toEqual({ n: 2 })
    })

    test('S13: a watch from the past sees exactly what came after', async () => {
      store = open()
      put(store, 'a')
      const then = put(store, 'b')
      put(store, 'c')
      remove(store, 'a')
      const watch = store.watch(range, then, () => {})
      put(store, 'd')
      expect(told(await takeAll(store, watch))).toEqual(['created c', 'deleted a', 'created d'])
    })

    test('S13: a watch from the future sees only what comes after it', async () => {
      store = open()
      const watch = store.watch(range, store.revision + 2, () => {})
      for (const key of ['a', 'b', 'c']) put(store, key)
      expect(told(await takeAll(store, watch))).toEqual(['created c'])
    })

    test('S14: an idle watch has seen all there is, also when other collections changed', async () => {
      store = open()
      const watch = store.watch(range, store.revision, () => {})
      await takeAll(store, watch)
      store.put('others', 'x', 0, () => ({}))
      await store.saved()
      expect(watch.revision).toBe(store.revision)
      const before = store.revision
      put(store, 'a')
      store.put('others', 'y', 0, () => ({}))
      await store.saved()
      expect(watch.revision).toBe(before)
      await takeAll(store, watch)
      expect(watch.revision).toBe(store.revision)
    })

    test('S14: an idle watch continues after the events that it has seen are forgotten', async () => {
      store = open()
      const watch = store.watch(range, store.revision, () => {})
      await takeAll(store, watch)
      store.put('others', 'x', 0, () => ({}))
      store.compact(store.revision)
      put(store, 'a')
      expect(told(await takeAll(store, watch))).toEqual(['created a'])
    })

    test('S15: a watch that begins before the history, or falls behind it, fails', async () => {
      store = open({ history: 10 })
      const start = store.revision
      const slow = store.watch(range, start, () => {})
      put(store, 'a')
      await store.saved()
      slow.take()
      for (let step = 0; step < 20; step++) put(store, 'a', { step })
      expect(() => slow.take()).toThrow(RevisionExpired)
      const late = store.watch(range, start, () => {})
      expect(() => late.take()).toThrow(`revision ${start} is too old`)
      const recent = store.watch(range, store.revision - 3, () => {})
      expect(await takeAll(store, recent)).toHaveLength(3)
    })

    test('S15: the history is bounded in bytes as well', async () => {
      store = open({ historyBytes: 10_000 })
      const start = store.revision
      const slow = store.watch(range, start, () => {})
      for (let step = 0; step < 20; step++) put(store, 'a', { text: 'x'.repeat(1_000), step })
      remove(store, 'a')
      expect(() => slow.take()).toThrow(RevisionExpired)
      expect(
        await takeAll(
          store,
          store.watch(range, store.revision - 5, () => {}),
        ),
      ).toHaveLength(5)
      for (let step = 0; step < 50; step++) put(store, `k${step}`)
      expect(
        await takeAll(
          store,
          store.watch(range, store.revision - 50, () => {}),
        ),
      ).toHaveLength(50)
    })

    test('S15: changes of other collections do not shorten the history', async () => {
      store = open({ history: 10 })
      const start = store.revision
      put(store, 'a')
      for (let step = 0; step < 100; step++) store.put('others', `k${step}`, 0, () => ({}))
      expect(
        told(
          await takeAll(
            store,
            store.watch(range, start, () => {}),
          ),
        ),
      ).toEqual(['created a'])
    })

    test('S16: a deletion holds the last state under its own revision', async () => {
      store = open()
      put(store, 'a', { n: 1 })
      const watch = store.watch(range, store.revision, () => {})
      const revision = remove(store, 'a')
      const [event] = await takeAll(store, watch)
      expect(event?.entry).toMatchObject({ revision, value: { n: 1 } })
      expect(event?.previous?.revision).toBe(revision - 1)
    })

    test('S17: a closed watch gets no more events', async () => {
      store = open()
      const notify = vi.fn<() => void>()
      const watch = store.watch(range, store.revision, notify)
      put(store, 'a')
      await store.saved()
      expect(notify).toHaveBeenCalledOnce()
      watch.close()
      put(store, 'b')
      await store.saved()
      expect(notify).toHaveBeenCalledOnce()
      expect(watch.take()).toBeUndefined()
    })

    test('S8: a watch with a prefix gets only events of its keys', async () => {
      store = open()
      const watch = store.watch({ collection: THINGS, prefix: 'n/' }, store.revision, () => {})
      for (const key of ['m/a', 'n/a', 'n-2/a', 'n/b']) put(store, key)
      expect(told(await takeAll(store, watch))).toEqual(['created n/a', 'created n/b'])
    })
  })

  describe('the age of the history', () => {
    test('S18: the past can be read for five minutes, and for a minute more at most', async () => {
      store = open()
      const then = put(store, 'a')
      put(store, 'b')
      await clock.advance('299s')
      expect(keys(store.snapshot(range, then))).toEqual(['a'])
      await clock.advance('61s')
      expect(() => store.snapshot(range, then)).toThrow(RevisionExpired)
    })

    test('S18: a state that has not changed since can be read, however old it is', async () => {
      store = open()
      const then = put(store, 'a')
      await clock.advance('1h')
      expect(keys(store.snapshot(range, then))).toEqual(['a'])
      put(store, 'b')
      await clock.advance('1m')
      put(store, 'c')
      expect(keys(store.snapshot(range, then))).toEqual(['a'])
      await clock.advance('6m')
      expect(() => store.snapshot(range, then)).toThrow(RevisionExpired)
    })

    test('S18: every revision expires, also of simultaneous writes, and also after a long pause', async () => {
      store = open()
      const [first, second] = [put(store, 'a'), put(store, 'b')]
      put(store, 'c')
      await clock.advance('11m')
      put(store, 'd')
      expect(() => store.snapshot(range, first)).toThrow(RevisionExpired)
      expect(() => store.snapshot(range, second)).toThrow(RevisionExpired)
      expect(keys(store.snapshot(range, second + 1))).toEqual(['a', 'b', 'c'])
    })

    test('S19: events that are old are forgotten, except for the last hundred of a collection', async () => {
      store = open()
      const start = store.revision
      for (let step = 0; step < 150; step++) put(store, 'a', { step })
      await clock.advance('10m')
      expect(
        await takeAll(
          store,
          store.watch(range, start, () => {}),
        ),
      ).toHaveLength(150)
      store.put('others', 'x', 0, () => ({}))
      await store.saved()
      expect(() => store.watch(range, start, () => {}).take()).toThrow(RevisionExpired)
      expect(
        await takeAll(
          store,
          store.watch(range, start + 50, () => {}),
        ),
      ).toHaveLength(100)
    })
  })

  test('S6: ten thousand entries written in any order are read in the order of keys', () => {
    store = open()
    const names = Array.from({ length: 10_000 }, (_, index) => `n${index % 3}/k${(index * 7_919) % 10_000}`)
    for (const name of names) put(store, name)
    for (const name of names.filter((_, index) => index % 5 === 0)) remove(store, name)
    const left = names.filter((_, index) => index % 5 !== 0).sort()
    expect(keys(store.snapshot(range))).toEqual(left)
    const one = left.filter((name) => name.startsWith('n1/'))
    expect(keys(store.snapshot({ collection: THINGS, prefix: 'n1/' }))).toEqual(one)
    expect(keys(store.snapshot({ collection: THINGS, prefix: 'n9/' }))).toEqual([])
  })
})
