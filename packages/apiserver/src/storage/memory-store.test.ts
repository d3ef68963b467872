import { describe, expect, test, vi } from 'vitest'
import { MemoryStore } from './memory-store.ts'
import { RevisionExpired, type StoreEvent, type StoreWatch } from './store.ts'

const THINGS = 'things'

function put(store: MemoryStore, key: string, value: object = {}): number {
  const expected = store.get(THINGS, key)?.revision ?? 0
  return store.put(THINGS, key, expected, () => ({ ...value }))!.revision
}

function remove(store: MemoryStore, key: string): number {
  const entry = store.get(THINGS, key)!
  return store.delete(THINGS, key, entry.revision, () => ({ ...entry.value }))!.revision
}

function takeAll(watch: StoreWatch): StoreEvent[] {
  const events: StoreEvent[] = []
  for (let event = watch.take(); event; event = watch.take()) events.push(event)
  return events
}

const told = (events: StoreEvent[]): string[] => events.map(({ type, entry }) => `${type} ${entry.key}`)
const keys = (entries: readonly { key: string }[]): string[] => entries.map(({ key }) => key)

describe('revisions', () => {
  test('S1: changes of all collections take the next revisions of one counter, from 1', () => {
    const store = new MemoryStore()
    expect(store.revision).toBe(1)
    expect(store.put('a', 'x', 0, () => ({}))?.revision).toBe(2)
    expect(store.put('b', 'x', 0, () => ({}))?.revision).toBe(3)
    expect(store.delete('a', 'x', 2, () => ({}))?.revision).toBe(4)
    expect(store.revision).toBe(4)
  })

  test('S2: a write that names another revision than the entry has writes nothing', () => {
    const store = new MemoryStore()
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

  test('S2: a value that cannot be made leaves everything as it was', () => {
    const store = new MemoryStore()
    const fail = (): never => {
      throw new Error('no value')
    }
    expect(() => store.put(THINGS, 'a', 0, fail)).toThrow('no value')
    expect(store.revision).toBe(1)
    expect(put(store, 'a')).toBe(2)
  })

  test('S3: a value is made with its own revision in hand', () => {
    const store = new MemoryStore()
    put(store, 'a')
    expect(store.put(THINGS, 'b', 0, (revision) => ({ revision }))?.value).toEqual({ revision: 3 })
  })

  test('S4: a stored value is frozen all the way down', () => {
    const store = new MemoryStore()
    put(store, 'a', { list: [{ deep: true }] })
    const value = store.get(THINGS, 'a')!.value as { list: { deep: boolean }[] }
    expect(() => (value.list[0]!.deep = false)).toThrow(TypeError)
    expect(() => value.list.push({ deep: true })).toThrow(TypeError)
  })

  test('S5: an entry is encoded once', () => {
    const store = new MemoryStore()
    put(store, 'a', { text: 'é' })
    const entry = store.get(THINGS, 'a')!
    expect(new TextDecoder().decode(entry.json)).toBe('{"text":"é"}')
    expect(entry.json).toBe(entry.json)
  })
})

describe('reading', () => {
  test('S6: a snapshot is in the order of keys, and later writes do not change it', () => {
    const store = new MemoryStore()
    for (const key of ['b', 'a', 'c']) put(store, key)
    const snapshot = store.snapshot({ collection: THINGS })
    put(store, 'aa')
    remove(store, 'b')
    expect(keys(snapshot)).toEqual(['a', 'b', 'c'])
    expect(keys(store.snapshot({ collection: THINGS }))).toEqual(['a', 'aa', 'c'])
  })

  test('S7: a snapshot of the past shows each entry as it was then', () => {
    const store = new MemoryStore()
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

  test('S7: the state at every revision can be had, until it is forgotten', () => {
    const store = new MemoryStore()
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
    const store = new MemoryStore()
    for (const key of ['n/a', 'n/b', 'n-2/a', 'n0/a', 'm/z']) put(store, key)
    const range = { collection: THINGS, prefix: 'n/' }
    const revision = store.revision
    expect(keys(store.snapshot(range))).toEqual(['n/a', 'n/b'])
    put(store, 'n/c')
    remove(store, 'n/a')
    expect(keys(store.snapshot(range, revision))).toEqual(['n/a', 'n/b'])
  })
})

describe('watching', () => {
  const range = { collection: THINGS }

  test('S9, S10, S12: events come once each, in order, with none left out', () => {
    const store = new MemoryStore()
    const watch = store.watch(range, store.revision, () => {})
    for (let step = 0; step < 100; step++) put(store, `k${step % 7}`, { step })
    const events = takeAll(watch)
    expect(events.map((event) => event.revision)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 2),
    )
    expect(watch.take()).toBeUndefined()
  })

  test('S11: an event holds the entry before and after', () => {
    const store = new MemoryStore()
    put(store, 'a', { n: 1 })
    const watch = store.watch(range, store.revision, () => {})
    put(store, 'a', { n: 2 })
    const [event] = takeAll(watch)
    expect(event?.type).toBe('updated')
    expect(event?.previous?.value).toEqual({ n: 1 })
    expect(event?.entry.value).toEqual({ n: 2 })
  })

  test('S13: a watch from the past sees exactly what came after', () => {
    const store = new MemoryStore()
    put(store, 'a')
    const then = put(store, 'b')
    put(store, 'c')
    remove(store, 'a')
    const watch = store.watch(range, then, () => {})
    put(store, 'd')
    expect(told(takeAll(watch))).toEqual(['created c', 'deleted a', 'created d'])
  })

  test('S13: a watch from the future sees only what comes after it', () => {
    const store = new MemoryStore()
    const watch = store.watch(range, store.revision + 2, () => {})
    for (const key of ['a', 'b', 'c']) put(store, key)
    expect(told(takeAll(watch))).toEqual(['created c'])
  })

  test('S14: an idle watch has seen all there is, also when other collections changed', () => {
    const store = new MemoryStore()
    const watch = store.watch(range, store.revision, () => {})
    takeAll(watch)
    store.put('others', 'x', 0, () => ({}))
    expect(watch.revision).toBe(store.revision)
    const before = store.revision
    put(store, 'a')
    store.put('others', 'y', 0, () => ({}))
    expect(watch.revision).toBe(before)
    takeAll(watch)
    expect(watch.revision).toBe(store.revision)
  })

  test('S14: an idle watch is not hurt by forgetting what it has seen', () => {
    const store = new MemoryStore()
    const watch = store.watch(range, store.revision, () => {})
    takeAll(watch)
    store.put('others', 'x', 0, () => ({}))
    store.compact(store.revision)
    put(store, 'a')
    expect(told(takeAll(watch))).toEqual(['created a'])
  })

  test('S15: a watch that begins before the history, or falls behind it, fails', () => {
    const store = new MemoryStore({ history: 10 })
    const start = store.revision
    const slow = store.watch(range, start, () => {})
    put(store, 'a')
    slow.take()
    for (let step = 0; step < 20; step++) put(store, 'a', { step })
    expect(() => slow.take()).toThrow(RevisionExpired)
    const late = store.watch(range, start, () => {})
    expect(() => late.take()).toThrow(`revision ${start} is too old`)
    const recent = store.watch(range, store.revision - 3, () => {})
    expect(takeAll(recent)).toHaveLength(3)
  })

  test('S15: the history is bounded in bytes as well', () => {
    const store = new MemoryStore({ historyBytes: 10_000 })
    const start = store.revision
    const slow = store.watch(range, start, () => {})
    for (let step = 0; step < 20; step++) put(store, 'a', { text: 'x'.repeat(1_000), step })
    remove(store, 'a')
    expect(() => slow.take()).toThrow(RevisionExpired)
    expect(takeAll(store.watch(range, store.revision - 5, () => {}))).toHaveLength(5)
    for (let step = 0; step < 50; step++) put(store, `k${step}`)
    expect(takeAll(store.watch(range, store.revision - 50, () => {}))).toHaveLength(50)
  })

  test('S15: other collections do not push the history out', () => {
    const store = new MemoryStore({ history: 10 })
    const start = store.revision
    put(store, 'a')
    for (let step = 0; step < 100; step++) store.put('others', `k${step}`, 0, () => ({}))
    expect(told(takeAll(store.watch(range, start, () => {})))).toEqual(['created a'])
  })

  test('S16: a deletion holds the last state under its own revision', () => {
    const store = new MemoryStore()
    put(store, 'a', { n: 1 })
    const watch = store.watch(range, store.revision, () => {})
    const revision = remove(store, 'a')
    const [event] = takeAll(watch)
    expect(event?.entry).toMatchObject({ revision, value: { n: 1 } })
    expect(event?.previous?.revision).toBe(revision - 1)
  })

  test('S17: a watch that is closed is told nothing more', () => {
    const store = new MemoryStore()
    const notify = vi.fn<() => void>()
    const watch = store.watch(range, store.revision, notify)
    put(store, 'a')
    expect(notify).toHaveBeenCalledOnce()
    watch.close()
    put(store, 'b')
    expect(notify).toHaveBeenCalledOnce()
    expect(watch.take()).toBeUndefined()
  })

  test('S8: a watch with a prefix is told of its own keys only', () => {
    const store = new MemoryStore()
    const watch = store.watch({ collection: THINGS, prefix: 'n/' }, store.revision, () => {})
    for (const key of ['m/a', 'n/a', 'n-2/a', 'n/b']) put(store, key)
    expect(told(takeAll(watch))).toEqual(['created n/a', 'created n/b'])
  })
})
