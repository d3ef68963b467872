import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HomeostatError, SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TemporaryProblem } from '../../configuration/index.ts'
import { ConfigurationFile } from './configuration-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-configuration-'))
  path = join(folder, 'file')
  writeFileSync(path, 'one')
})
afterEach(() => rmSync(folder, { recursive: true }))

const clock = new SimulatedClock()
const messages: string[] = []
const open = () =>
  ConfigurationFile.open(path, {
    flag: 'a-flag',
    clock,
    parse: (text) => Promise.resolve({ text }),
    tell: (message) => void messages.push(message),
  })
/** Lets the clock run until the file was read twice, and what came of it is told. */
const next = (count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      await clock.advance(1_000)
      expect(messages).toHaveLength(count)
    },
    { timeout: 30_000 },
  )

test('each version is read once, and one that is gone is told', async () => {
  messages.splice(0)
  const file = await open()
  expect(file).toMatchObject({ text: 'one', value: { text: 'one' } })
  // This version comes before the server follows the file.
  writeFileSync(path, 'two')
  const versions: unknown[] = []
  using _ = file.follow(async (text, read) => {
    versions.push(text)
    versions.push(await read())
  })
  await next(1)
  rmSync(path)
  await next(2)
  await clock.advance(5_000)
  writeFileSync(path, 'three')
  await next(3)
  expect(versions).toEqual(['two', { text: 'two' }, '', 'three', { text: 'three' }])
  expect(messages).toEqual([
    `--a-flag: ${path} has changed, and its new content is in effect`,
    expect.stringMatching(/stays in effect: --a-flag: cannot read/),
    `--a-flag: ${path} has changed, and its new content is in effect`,
  ])
})

test('a version that cannot take effect now is tried again after a minute, a wrong one is not', async () => {
  messages.splice(0)
  const file = await open()
  const tries: string[] = []
  using _ = file.follow((text) => {
    tries.push(text)
    if (tries.length === 1) return Promise.reject(new TemporaryProblem('SILENT', 'not yet'))
    return text === 'wrong' ? Promise.reject(new HomeostatError('WRONG', 'wrong')) : Promise.resolve()
  })
  writeFileSync(path, 'two')
  await next(1)
  const since = clock.monotonic()
  await next(2)
  expect(clock.monotonic() - since).toBeGreaterThanOrEqual(60_000)
  writeFileSync(path, 'wrong')
  await next(3)
  await clock.advance(600_000)
  writeFileSync(path, 'three')
  await next(4)
  expect(tries).toEqual(['two', 'two', 'wrong', 'three'])
})

test('a version that is still being written does not take effect', async () => {
  const texts = ['', 'half', 'half more', 'half more', 'whole', 'whole', 'whole']
  const file = await ConfigurationFile.open(path, {
    flag: 'a-flag',
    clock,
    parse: (text) => Promise.resolve({ text }),
    tell: () => undefined,
    read: () => Promise.resolve(texts.length > 1 ? texts.shift() : texts[0]),
  })
  const versions: string[] = []
  using _ = file.follow((text) => {
    versions.push(text)
    return Promise.resolve()
  })
  await clock.advance(10_000)
  expect(versions).toEqual(['half more', 'whole'])
})

test.skipIf(process.platform === 'win32')('a pipe is read once, and is not followed', async () => {
  messages.splice(0)
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const writer = spawn('sh', ['-c', 'printf one > "$0"', pipe])
  const file = await ConfigurationFile.open(pipe, {
    flag: 'a-flag',
    clock,
    parse: (text) => Promise.resolve({ text }),
    tell: (message) => void messages.push(message),
  })
  if (writer.exitCode === null) await once(writer, 'exit')
  using _ = file.follow(() => Promise.resolve())
  await clock.advance(10_000)
  expect(file.text).toBe('one')
  expect(messages).toEqual([])
})
