import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runIn, type ShellResult } from '../../test/run-in.ts'
import type { ShellRun } from '../index.ts'
import { schedulerOf } from './scheduler.ts'

const SLICE = 2_000
const BUSY = 'i=0; while [ $i -lt 200 ]; do (while :; do echo a; done) & i=$((i+1)); done; wait'

let root: string
let clock: SimulatedClock
let stop: AbortController

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'homeostat-shell-'))
  clock = new SimulatedClock()
  stop = new AbortController()
})

afterEach(() => {
  stop.abort()
  rmSync(root, { recursive: true })
})

function start(script: string, pod: string, options: Partial<ShellRun> = {}): Promise<ShellResult> {
  return runIn(root, ['sh', '-c', script], { clock, limitGroup: pod, killed: stop.signal, ...options })
}

/** Counts lines, and calls back after a number of them. */
function counter(): ShellRun['stdout'] & { lines: number } {
  return {
    lines: 0,
    write(text) {
      this.lines += Buffer.from(text as Uint8Array).filter((byte) => byte === 10).length
    },
  }
}

describe('all shells of a clock', () => {
  it('share one slice of each turn of the event loop', async () => {
    const runs = ['a', 'b', 'c'].map((pod) => start(BUSY, pod))
    await clock.advance('20ms')
    const scheduler = schedulerOf(clock)
    expect(scheduler.turns).toBeGreaterThan(10)
    // A process finds out that the slice is used up with its next step.
    expect(scheduler.mostInTurn).toBeLessThan(SLICE + 2_000)
    stop.abort()
    for (const run of runs) expect(await run).toMatchObject({ code: 137 })
  })

  it('give a Pod with one process as much as a Pod with 200', async () => {
    const [many, one] = [counter(), counter()]
    let atThousand: number | undefined
    const stdout = {
      write(text: string | Uint8Array) {
        one.write(text)
        if (one.lines >= 1_000) atThousand ??= many.lines
      },
    }
    void start(BUSY, 'a', { stdout: many })
    void start('while :; do echo b; done', 'b', { stdout })
    await clock.settle()
    expect(atThousand).toBeGreaterThan(0)
    expect(atThousand).toBeLessThan(4_000)
  })

  it('give a command beside 200 processes of its own Pod its turn', async () => {
    const beside = counter()
    void start(BUSY, 'a', { stdout: beside })
    await clock.settle()
    const before = beside.lines
    expect(await start('echo; echo; echo', 'a')).toMatchObject({ code: 0, stdout: '\n\n\n' })
    expect(beside.lines - before).toBeLessThan(4_000)
  })
})

describe('a Pod', () => {
  it("has no more processes than it may have: can't fork, and it goes on", async () => {
    const run = start('bomb() { bomb | bomb & }; (bomb) & sleep 5; echo still here', 'a')
    let most = 0
    const pod = schedulerOf(clock).pod('a')
    for (let second = 0; second < 6; second++) {
      await clock.advance('1s')
      most = Math.max(most, pod.processes)
    }
    const { stdout, stderr, code } = await run
    expect(stderr).toContain("sh: can't fork: Resource temporarily unavailable\n")
    expect(most).toBeLessThanOrEqual(512)
    expect({ stdout, code }).toEqual({ stdout: 'still here\n', code: 0 })
  })

  it('shares its processes between its runs, and gives them back', async () => {
    const many = 'i=0; while [ $i -lt 250 ]; do sleep 10 & i=$((i+1)); done; wait'
    const first = start(many, 'a')
    await clock.settle()
    expect(await start('(:) & (:) & (:) & wait', 'b')).toMatchObject({ code: 0, stderr: '' })
    const beside = start(`${many}; echo $?`, 'a')
    await clock.settle()
    expect((await beside).stderr).toContain("can't fork")
    await clock.advance('20s')
    expect(await first).toMatchObject({ code: 0 })
    expect(await start('echo ok', 'a')).toMatchObject({ stdout: 'ok\n', code: 0 })
  })

  it('that is full refuses a command with a message', async () => {
    void start('sleep 100', 'a')
    await clock.settle()
    const pod = schedulerOf(clock).pod('a')
    while (pod.processes < 512) pod.fork()
    expect(await start('echo never', 'a')).toEqual({
      stdout: '',
      stderr: "sh: can't fork: Resource temporarily unavailable\n",
      code: 126,
    })
  })

  it('has no more files open than it may have, and gives them back', async () => {
    writeFileSync(join(root, 'a'), 'text\n')
    const open = 'i=3; while [ $i -lt 600 ]; do eval "exec $i</a" || break; i=$((i+1)); done'
    const run = start(`(${open}; sleep 10) & ${open}; echo $i; sleep 10`, 'a')
    await clock.advance('5s')
    const pod = schedulerOf(clock).pod('a')
    expect(pod.openFiles).toBe(1_024)
    expect(await start('cat /a', 'a')).toEqual({
      stdout: '',
      stderr: "cat: can't open '/a': Too many open files\n",
      code: 1,
    })
    expect(await start('cat /a', 'b')).toMatchObject({ stdout: 'text\n', code: 0 })
    await clock.advance('20s')
    expect((await run).stderr).toContain("can't open /a: Too many open files\n")
    expect(pod.openFiles).toBe(0)
    expect(await start('cat /a', 'a')).toMatchObject({ stdout: 'text\n', code: 0 })
  })
})
