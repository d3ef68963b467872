/**
 * Writes to a store in a process of its own, for `store-faults.ts` to kill: `store-writer.ts <folder> <options>`. It prints
 * what it is about to write, and then that this was acknowledged.
 */
import { writeSync } from 'node:fs'
import { SystemClock } from '@homeostat/api'
import { openStore } from '../../packages/apiserver/src/storage/open-store.ts'
import { COLLECTION, KEYS, valueOf, type Line, type WriterOptions } from './store-ledger.ts'

const [folder = '', text = '{}'] = process.argv.slice(2)
const { bytes, seed, ...options } = JSON.parse(text) as WriterOptions
const store = openStore(folder, { clock: new SystemClock(), ...options })
let state = seed >>> 0
const chance = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
// Synchronous, so that a line is out before the next step, whenever the process is killed.
const say = (line: Line): void => void writeSync(1, `${JSON.stringify(line)}\n`)

let full = false
while (true) {
  const keys = [...new Set(Array.from({ length: 1 + chance(4) }, () => `k${chance(KEYS)}`))]
  let revision = store.revision
  const changes = keys.flatMap((key): { key: string; expected: number; revision: number | null }[] => {
    const expected = store.get(COLLECTION, key)?.revision ?? 0
    const removes = expected !== 0 && (full || chance(5) === 0)
    if (full && !removes) return []
    revision++
    return [{ key, expected, revision: removes ? null : revision }]
  })
  full = false
  say({ will: changes.map((change) => [change.key, change.revision]) })
  let made = 0
  try {
    for (const change of changes) {
      if (change.revision === null) store.delete(COLLECTION, change.key, change.expected, () => ({}))
      else store.put(COLLECTION, change.key, change.expected, (made) => valueOf(change.key, made, bytes))
      made++
    }
    await store.saved()
    say({ did: revision })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== 'STORE_FULL') throw error
    // The changes before the refused write are acknowledged all the same.
    await store.saved()
    say({ full: changes.slice(0, made).map((change) => [change.key, change.revision]) })
    full = true
  }
}
