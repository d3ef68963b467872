import { SimulatedClock } from '@homeostat/api'
import { beforeEach, describe, expect, it } from 'vitest'
import { ContainerLog, type LogOptions } from './container-log.ts'

let clock: SimulatedClock
let log: ContainerLog

beforeEach(() => {
  clock = new SimulatedClock()
  log = new ContainerLog(clock)
})

async function read(options?: LogOptions): Promise<string> {
  let text = ''
  for await (const chunk of log.read(options)) text += new TextDecoder().decode(chunk)
  return text
}

describe('the log of a container', () => {
  it('keeps lines whole, however they were written', async () => {
    const [out, err] = [log.writer(), log.writer()]
    out.write('one\ntw')
    err.write('error\n')
    out.write('o\nthree')
    expect(await read()).toBe('one\nerror\ntwo\n')
    log.end()
    expect(await read()).toBe('one\nerror\ntwo\nthree')
  })

  it('gives the last lines', async () => {
    log.writer().write('1\n2\n3\n')
    expect(await read({ tailLines: 2 })).toBe('2\n3\n')
    expect(await read({ tailLines: 0 })).toBe('')
    expect(await read({ tailLines: 9 })).toBe('1\n2\n3\n')
  })

  it('gives lines with their time, and only those since a time', async () => {
    const out = log.writer()
    out.write('a\n')
    await clock.advance('5s')
    out.write('b\n')
    expect(await read({ timestamps: true })).toBe(
      '2026-01-01T12:00:00.000000000Z a\n2026-01-01T12:00:05.000000000Z b\n',
    )
    expect(await read({ sinceTime: clock.now() - 1_000 })).toBe('b\n')
  })

  it('ends after a number of bytes', async () => {
    log.writer().write('abc\ndef\n')
    expect(await read({ limitBytes: 5 })).toBe('abc\nd')
  })

  it('is followed until the container ends', async () => {
    const out = log.writer()
    out.write('before\n')
    const followed = read({ follow: true })
    await clock.settle()
    out.write('after\n')
    await clock.settle()
    out.write('last')
    log.end()
    expect(await followed).toBe('before\nafter\nlast')
  })

  it('lets a follower go when its signal aborts', async () => {
    const stop = new AbortController()
    const followed = read({ follow: true, signal: stop.signal })
    await clock.settle()
    stop.abort()
    expect(await followed).toBe('')
  })

  it('forgets the oldest lines of a flood, and a slow follower misses them', async () => {
    log = new ContainerLog(clock, { limitBytes: 1_000 })
    const out = log.writer()
    const follower = log.read({ follow: true })
    out.write('first\n')
    expect(new TextDecoder().decode((await follower.next()).value ?? undefined)).toBe('first\n')
    for (let i = 0; i < 10_000; i++) out.write(`line ${i}\n`)
    const kept = await read()
    expect(kept.length).toBeLessThanOrEqual(1_000)
    expect(kept.endsWith('line 9998\nline 9999\n')).toBe(true)
    expect(new TextDecoder().decode((await follower.next()).value ?? undefined)).toBe(
      kept.slice(0, kept.indexOf('\n') + 1),
    )
    await follower.return()
  })

  it('bounds a line that never ends', async () => {
    log = new ContainerLog(clock, { limitBytes: 50_000 })
    const out = log.writer()
    for (let i = 0; i < 100; i++) out.write('x'.repeat(10_000))
    expect((await read()).length).toBeLessThanOrEqual(50_000)
  })

  it('takes a flood of short lines in its stride', async () => {
    const out = log.writer()
    for (let i = 0; i < 1_000; i++) out.write('y\n'.repeat(32_768))
    out.write('z\n')
    const kept = await read()
    expect(kept.length).toBeLessThanOrEqual(1_048_576)
    expect(kept.length).toBeGreaterThan(900_000)
    expect(await read({ tailLines: 3 })).toBe('y\ny\nz\n')
  })

  it('counts lines, however many came at once', async () => {
    const out = log.writer()
    out.write('1\n2\n\n4\n')
    out.write('5\n6')
    log.end()
    expect(await read({ tailLines: 0 })).toBe('')
    expect(await read({ tailLines: 1 })).toBe('6')
    expect(await read({ tailLines: 2 })).toBe('5\n6')
    expect(await read({ tailLines: 4 })).toBe('\n4\n5\n6')
    expect(await read({ tailLines: 6 })).toBe('1\n2\n\n4\n5\n6')
    expect(await read({ tailLines: 60 })).toBe('1\n2\n\n4\n5\n6')
    expect(
      (await read({ tailLines: 3, timestamps: true })).split('\n').map((line) => line.slice(31)),
    ).toEqual(['4', '5', '6'])
  })
})
