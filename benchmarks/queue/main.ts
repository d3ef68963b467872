/**
 * Measures the work queue alone, on one core: `npm run bench queue`. How many rounds of add, get and done
 * it makes in a second, and what a million keys that came and went leave on the heap.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SystemClock } from 'homeostat'
import { WorkQueue } from '../../packages/runtime/src/queue/index.ts'

const ROUNDS = 1_000_000
const KEYS = 50_000
const REPEATS = 5
const AIM = 500_000

const keys = Array.from({ length: KEYS }, (_, index) => `default/widget-${index}`)

await measure('add, get, done: one key at a time', async (queue) => {
  for (let round = 0; round < ROUNDS; round++) {
    queue.add(keys[round % KEYS] ?? '')
    const item = await queue.get()
    if (item) queue.done(item)
  }
})

await measure(`add ${KEYS.toLocaleString('en')} keys with a cause, then get and done each`, async (queue) => {
  for (let round = 0; round < ROUNDS; round += KEYS) {
    for (const key of keys) queue.add(key, { cause: 'changed' })
    for (const _ of keys) {
      const item = await queue.get()
      if (item) queue.done(item)
    }
  }
})

await measure('add, get, done: the worker waits first', async (queue) => {
  for (let round = 0; round < ROUNDS; round++) {
    const waiting = queue.get()
    queue.add(keys[round % KEYS] ?? '')
    const item = await waiting
    if (item) queue.done(item)
  }
})

await leftBehind()

/** Prints the best and the middle of some repeats: the first ones warm up. */
async function measure(what: string, work: (queue: WorkQueue<string>) => Promise<void>): Promise<void> {
  const rates: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const queue = new WorkQueue<string>({ clock: new SystemClock() })
    const start = process.cpuUsage()
    await work(queue)
    const { user, system } = process.cpuUsage(start)
    rates.push(ROUNDS / ((user + system) / 1e6))
  }
  const sorted = rates.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor(REPEATS / 2)] ?? 0
  const verdict =
    middle >= AIM ? `at least ${AIM.toLocaleString('en')}, as aimed for` : `below ${AIM.toLocaleString('en')}`
  console.log(
    `${what}: ${rate(middle)} rounds a second of CPU (best ${rate(sorted.at(-1) ?? 0)}): ${verdict}`,
  )
}

/** Each key is new here, so that whatever the queue kept of a key would show. */
async function leftBehind(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const queue = new WorkQueue<string>({ clock: new SystemClock() })
  const pass = async (from: number, count: number) => {
    for (let number = from; number < from + count; number++) {
      queue.add(`default/gone-${number}`, { cause: 'changed' })
      if (number % 3 === 0) queue.addAfter(`default/later-${number}`, 0)
      for (let item = queue.tryGet(); item; item = queue.tryGet()) queue.done(item)
    }
    await queue.get({ signal: AbortSignal.abort() }).catch(() => {})
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await pass(0, 10_000)
  const after = await pass(10_000, ROUNDS)
  const kilobytes = Math.round((after - before) / 1024)
  console.log(
    `A million keys that came and went left ${kilobytes} KB on the heap; the queue knows ${queue.size} keys`,
  )
}

function rate(value: number): string {
  return Math.round(value).toLocaleString('en')
}
