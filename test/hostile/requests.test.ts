import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CountedWork } from './requests/count-work.ts'
import { HOSTILE_REQUESTS } from './requests/index.ts'

/** The longest answer, in bytes: as long as the longest request. */
const LONGEST_ANSWER = 3 * 1024 * 1024
/**
 * How many blocks of code may run in one turn of the event loop. A block takes some 10 ns, so that this is about 120 ms. A
 * sixteenth of the largest request is three quarters of what the server works on in place; what is longer is worked on in
 * a thread, and some requests are also sent whole.
 */
const MOST_STEPS = 12_000_000
/** How much more work twice as much may be. A product of two sizes would be four times as much. */
const GROWTH = 2.5
/** Where there is less, it is not the size of the request that counts. */
const FEW_STEPS = 200_000

let counted: Map<string, CountedWork[]>

// Counting needs a process in which nothing was compiled before, so that all requests are sent in one.
beforeAll(async () => {
  const program = join(import.meta.dirname, 'requests/count-work.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--expose-gc', program],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CountedWork)
  counted = Map.groupBy(all, ({ title }) => title)
}, 600_000)

describe.each(HOSTILE_REQUESTS.map(({ title, code }) => [title, code] as const))('%s', (title, code) => {
  test('is answered as by a Kubernetes API server that has the time', () => {
    for (const one of counted.get(title) ?? []) {
      expect(one.code === code || (one.code === 201 && code === 500)).toBe(true)
      expect(one.answer).toBeLessThanOrEqual(LONGEST_ANSWER)
    }
  })

  test('takes little of any turn of the event loop', () => {
    const all = counted.get(title) ?? []
    expect(all.length).toBeGreaterThanOrEqual(2)
    for (const { longestTurn } of all) expect(longestTurn).toBeLessThan(MOST_STEPS)
  })

  test('takes work in proportion to its size', () => {
    const [half, whole] = counted.get(title) ?? []
    if (half!.steps < FEW_STEPS) return
    expect(whole!.steps).toBeLessThan(GROWTH * half!.steps)
  })

  test('leaves no more on the heap than it stores', () => {
    for (const { heap } of counted.get(title) ?? []) expect(heap).toBeLessThan(32 * 1024 * 1024)
  })
})
