import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
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

  it('ends a follower when its signal aborts', async () => {
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
    const next = new TextDecoder().decode((await follower.next()).value ?? undefined)
    expect(kept.startsWith(next)).toBe(true)
    expect(next).toMatch(/^line \d+\n/)
    await follower.return()
  })

  it('bounds a line that never ends', async () => {
    log = new ContainerLog(clock, { limitBytes: 50_000 })
    const out = log.writer()
    for (let i = 0; i < 100; i++) out.write('x'.repeat(10_000))
    expect((await read()).length).toBeLessThanOrEqual(50_000)
  })

  it('accepts a flood of short lines quickly', async () => {
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

describe('the log of a container in files', () => {
  const FILE = 10 * 1_048_576
  const REST = `${'x'.repeat(1_012)}\n`
  /** 1,024 bytes with its number at the beginning. */
  const line = (number: number): string => `${String(number).padStart(10, '0')} ${REST}`
  let folder: string

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'homeostat-log-')), 'log')
    log = new ContainerLog(clock, { folder })
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

  function writeLines(count: number, from = 0): void {
    const out = log.writer()
    for (let at = from; at < from + count; at += 60) {
      let text = ''
      for (let i = at; i < Math.min(at + 60, from + count); i++) text += line(i)
      out.write(text)
    }
  }

  it('makes no file for a few lines while they come', async () => {
    writeLines(50)
    expect(existsSync(folder)).toBe(false)
    expect(await read({ tailLines: 1 })).toBe(line(49))
  })

  it.each([3, 50, 2_000])('is found whole by a later process, with %i lines', async (count) => {
    writeLines(count)
    log.end()
    const before = await read()
    log = ContainerLog.found(clock, folder)
    expect(await read({ follow: true })).toBe(before)
    expect(await read({ tailLines: 2 })).toBe(line(count - 2) + line(count - 1))
    log.remove()
    expect(existsSync(folder)).toBe(false)
  })

  it('is found up to the last page that a killed process wrote', async () => {
    writeLines(2_000)
    const file = join(folder, '0.log')
    const whole = statSync(file).size
    log = ContainerLog.found(clock, folder)
    expect((await read()).startsWith(line(0) + line(1))).toBe(true)
    truncateSync(file, whole - 5)
    log = ContainerLog.found(clock, folder)
    const text = await read()
    expect(text.length % 1_024).toBe(0)
    expect(text.length).toBeGreaterThan(1_500 * 1_024)
    log = ContainerLog.found(clock, join(folder, 'none'))
    expect(await read()).toBe('')
  })

  it('returns complete logs that are longer than the memory limit', async () => {
    writeLines(2_000)
    let expected = 0
    let text = ''
    for await (const chunk of log.read()) text += Buffer.from(chunk).toString()
    for (const one of text.split('\n').slice(0, -1)) expect(Number(one.slice(0, 10))).toBe(expected++)
    expect(expected).toBe(2_000)
    expect(await read({ tailLines: 1_234 })).toBe(text.slice(-1_234 * 1_024))
    expect((await read({ tailLines: 500, limitBytes: 1_030 })).slice(0, 1_024)).toBe(line(1_500))
  })

  it('keeps five files of ten megabytes, and the newest lines in them', async () => {
    writeLines(75_000)
    const files = readdirSync(folder)
    expect(files).toHaveLength(5)
    for (const file of files) expect(statSync(join(folder, file)).size).toBeLessThanOrEqual(FILE)
    let first: string | undefined
    let bytes = 0
    let last = ''
    for await (const chunk of log.read()) {
      const text = Buffer.from(chunk).toString()
      first ??= text.slice(0, 10)
      last = text.slice(-1_024)
      bytes += chunk.length
    }
    expect(last).toBe(line(74_999))
    expect(bytes).toBe((75_000 - Number(first)) * 1_024)
    expect(bytes).toBeGreaterThan(4 * FILE)
    log.remove()
    expect(existsSync(folder)).toBe(false)
    expect(await read()).toBe('')
  })

  it('lets a follower that is too slow continue with the lines that are kept', async () => {
    writeLines(10)
    const follower = log.read({ follow: true })
    await follower.next()
    writeLines(75_000, 10)
    const { value } = await follower.next()
    const next = Number(
      Buffer.from(value ?? [])
        .toString()
        .slice(0, 10),
    )
    expect(next).toBeGreaterThan(10)
    await follower.return()
  })

  it('is followed without gaps through a flood whose writer waits', async () => {
    const flooded = log
    const out = flooded.writer()
    const flood = (async () => {
      for (let i = 0; i < 60_000; i += 20) {
        let text = ''
        for (let j = i; j < i + 20; j++) text += line(j)
        out.write(text)
        await out.ready
      }
      flooded.end()
    })()
    let expected = 0
    for await (const chunk of flooded.read({ follow: true })) {
      const text = Buffer.from(chunk).toString()
      expect(text.slice(0, 1_024)).toBe(line(expected))
      expected += text.length / 1_024
    }
    expect(expected).toBe(60_000)
    await flood
    expect(clock.nextDue(), 'nothing is left to be waited for').toBeUndefined()
  })

  it('does not wait for a follower that reads nothing for five seconds', async () => {
    const stuck = log.read({ follow: true })
    writeLines(10)
    await stuck.next()
    const out = log.writer()
    writeLines(20_000)
    let waited = out.ready
    expect(waited).toBeDefined()
    await clock.advance('5s')
    await waited
    expect(out.ready).toBeUndefined()
    // The writer waits again for followers that have caught up.
    for (let read = 0; read < 19_000 * 1_024;) read += (await stuck.next()).value?.length ?? 0
    writeLines(20_000)
    waited = out.ready
    expect(waited).toBeDefined()
    await stuck.return()
    await waited
  })

  it('selects by time across files', async () => {
    writeLines(500)
    await clock.advance('10s')
    const since = clock.now()
    writeLines(500, 500)
    expect((await read({ sinceTime: since })).length).toBe(500 * 1_024)
    expect((await read({ tailLines: 1, timestamps: true })).slice(0, 31)).toBe(
      '2026-01-01T12:00:10.000000000Z ',
    )
  })

  it('continues without the lines that cannot be written to the disk', async () => {
    rmSync(join(folder, '..'), { recursive: true })
    log = new ContainerLog(clock, { folder: '/dev/null/log' })
    writeLines(500)
    log.end()
    expect((await read()).endsWith(line(499))).toBe(true)
  })
})
