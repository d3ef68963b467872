import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { SimulatedClock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { schedulerOf } from '../../packages/shell/src/process/scheduler.ts'
import { runIn } from '../../packages/shell/test/run-in.ts'
import { hostilePods } from './pods.ts'

/** The most steps of all shells in one turn of the event loop: their slice, and the most that one step may cost. */
const MOST_STEPS = 2_000 + 16_000
const MOST_PROCESSES = 512
const MOST_MEMORY = 64 * 1024 ** 2
const POD = 'hostile'

describe('a hostile Pod stays within its part of a turn, its processes and its memory', () => {
  // On a clock that stands still time decides nothing: only steps, bytes and processes are counted.
  it.each(hostilePods.map(({ title, script }) => [title, script] as const))('%s', async (_title, script) => {
    const root = mkdtempSync(join(tmpdir(), 'homeostat-hostile-'))
    const clock = new SimulatedClock()
    const scheduler = schedulerOf(clock)
    const killed = new AbortController()
    const nothing = { write: () => undefined }
    const pod = scheduler.pod(POD)
    const run = runIn(root, ['sh', '-c', script], {
      clock,
      limitGroup: POD,
      env: { PATH: '/bin' },
      killed: killed.signal,
      stdout: nothing,
      stderr: nothing,
    })
    try {
      for (let moment = 0; moment < 2; moment++) {
        await clock.advance('100ms')
        expect(pod.processes).toBeLessThanOrEqual(MOST_PROCESSES)
        expect(pod.memory).toBeLessThanOrEqual(MOST_MEMORY)
      }
      expect(scheduler.turns).toBeGreaterThan(0)
      expect(scheduler.mostInTurn).toBeLessThan(MOST_STEPS)
    } finally {
      killed.abort()
      await run
      // A process that was under way notices that it has been killed.
      await clock.settle()
      rmSync(root, { recursive: true })
    }
    expect({ processes: pod.processes, memory: pod.memory }).toEqual({ processes: 0, memory: 0 })
  })
})

/** A chain of a million short pieces would take 32 MB: the garbage collector would go through it link by link. */
const MOST_FOR_VALUES = 8 * 1024 ** 2

describe('a long value that a Pod computes takes no more memory than its characters', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void

  it.each([
    ['every character replaced', 'y=${x//?/c}'],
    ['a character replaced by two', 'y=${x//a/bb}'],
  ])('%s', async (_title, script) => {
    const root = mkdtempSync(join(tmpdir(), 'homeostat-hostile-'))
    const clock = new SimulatedClock()
    const killed = new AbortController()
    const nothing = { write: () => undefined }
    const start = (text: string): Promise<unknown> =>
      runIn(
        root,
        ['sh', '-c', `x=$(yes abcdefg | head -c 900000 | tr -d "\\n"); ${text}; echo > done; sleep 1d`],
        {
          clock,
          limitGroup: POD,
          env: { PATH: '/bin' },
          killed: killed.signal,
          stdout: nothing,
          stderr: nothing,
        },
      )
    const used = async (run: () => Promise<unknown>): Promise<[number, Promise<unknown>]> => {
      rmSync(join(root, 'done'), { force: true })
      const running = run()
      for (let moment = 0; !existsSync(join(root, 'done')); moment++) {
        if (moment > 1_000) throw new Error('the script does not come to its end')
        await clock.advance('10s')
      }
      collectGarbage()
      return [process.memoryUsage().heapUsed, running]
    }
    const [before, plain] = await used(() => start(':'))
    const [after, other] = await used(() => start(script))
    killed.abort()
    await Promise.all([plain, other])
    await clock.settle()
    rmSync(root, { recursive: true })
    expect(after - before).toBeLessThan(MOST_FOR_VALUES)
  })
})
