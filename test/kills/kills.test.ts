import { expect, test } from 'vitest'
import { RevisionStore } from '@homeostat/apiserver'
import { killRounds } from './kill-rounds.ts'
import { Ledger, textOf } from './ledger.ts'
import { seeded } from './seeded.ts'
import { storeFaults } from './store-faults.ts'
import { StoreLedger, valueOf } from './store-ledger.ts'

test(
  'S20, S21: three kills of a server under load lose nothing that was acknowledged',
  { timeout: 60_000 },
  async () => {
    const { kills, writes } = await killRounds({ times: 3, seed: 5 })
    expect(kills).toBe(3)
    expect(writes).toBeGreaterThan(20)
  },
)

test(
  'S21, S24, S25: kills during checkpoints and on full disks, and damaged files, lose nothing silently',
  { timeout: 120_000 },
  async () => {
    const counts = { checkpointKills: 4, damages: 40, fullDiskKills: 2 }
    const report = await storeFaults(counts, seeded(7))
    expect(report).toMatchObject(counts)
    expect(report.refused).toBeGreaterThan(5)
    expect(report.writes).toBeGreaterThan(20)
  },
)

/** A list as a server would answer it. */
function listOf(version: number, ...items: { name: string; n: number; version: number; text?: string }[]) {
  return {
    metadata: { resourceVersion: String(version) },
    items: items.map(({ name, n, version, text = textOf(name, n) }) => ({
      metadata: { name, resourceVersion: String(version) },
      data: { n: String(n), text },
    })),
  }
}

test('the ledger sees what is lost, what comes back, what is not whole and what goes back in time', () => {
  const ledger = (): Ledger => {
    const ledger = new Ledger()
    ledger.sent('a', 1)
    ledger.answered('a', { n: 1, version: 10 })
    ledger.sent('b', 1)
    ledger.answered('b', { n: 1, version: 11 })
    ledger.sent('b', undefined)
    ledger.answered('b', undefined)
    ledger.told('b', 12, undefined)
    return ledger
  }
  const a = { name: 'a', n: 1, version: 10 }
  ledger().check(listOf(12, a))
  expect(() => ledger().check(listOf(12))).toThrow('a is absent')
  expect(() => ledger().check(listOf(12, a, { name: 'b', n: 1, version: 11 }))).toThrow('b is {"n":1')
  expect(() => ledger().check(listOf(12, { ...a, text: 'a:' }))).toThrow('a is not whole')
  expect(() => ledger().check(listOf(12, { ...a, version: 9 }))).toThrow('a is {"n":1,"version":9}')
  expect(() => ledger().check(listOf(11, a))).toThrow('the server is at version 11, but 12 was seen')
  expect(() => ledger().check(listOf(13, a, { name: 'c', n: 1, version: 13 }))).toThrow('no client made it')
})

test('the ledger tells a watch that is behind from one with other events', () => {
  const ledger = new Ledger()
  ledger.sent('a', 1)
  ledger.answered('a', { n: 1, version: 10 })
  ledger.told('a', 10, 1)
  ledger.sent('a', undefined)
  ledger.answered('a', undefined)
  expect(() => ledger.check(listOf(11))).not.toThrow()
})

test('the ledger takes a watch for its word about a write that was not answered', () => {
  const ledger = new Ledger()
  ledger.sent('a', 1)
  ledger.told('a', 10, 1)
  expect(() => ledger.check(listOf(10))).toThrow('a is undefined, but a watch has reported 1')
})

test('the ledger takes a write that was not answered for made or not made', () => {
  for (const n of [1, 2]) {
    const ledger = new Ledger()
    ledger.sent('a', 1)
    ledger.answered('a', { n: 1, version: 10 })
    ledger.sent('a', 2)
    ledger.check(listOf(11, { name: 'a', n, version: n === 1 ? 10 : 11 }))
    expect(ledger.stateOf('a')?.n).toBe(n)
  }
})

test('the ledger of a store sees what is lost, what comes back and what is not whole', () => {
  const ledger = (): StoreLedger => {
    const ledger = new StoreLedger()
    ledger.take({ will: [['k1', 2]] })
    ledger.take({ did: 2 })
    return ledger
  }
  const store = new RevisionStore()
  expect(() => ledger().check(store)).toThrow('the store is at revision 1, but 2 was acknowledged')
  store.put('things', 'k1', 0, (revision) => valueOf('k1', revision, 20))
  ledger().check(store)
  const unacknowledged = ledger()
  unacknowledged.take({ will: [['k1', null]] })
  unacknowledged.check(store)
  store.delete('things', 'k1', 2, () => ({}))
  unacknowledged.check(store)
  expect(() => ledger().check(store)).toThrow('k1 is at revision undefined; allowed are 2')
  store.put('things', 'k1', 0, (revision) => valueOf('k1', revision, 20))
  expect(() => unacknowledged.check(store)).toThrow('k1 is at revision 4')
  const changed = ledger()
  changed.take({ will: [['k1', 5]] })
  changed.take({ did: 5 })
  store.put('things', 'k1', 4, (revision) => ({ ...valueOf('k1', revision, 20), text: 'other' }))
  expect(() => changed.check(store)).toThrow('k1 is not whole')
})
