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
/** Lets the clock run until the file was read, and what came of it is told. */
const next = async (count: number): Promise<void> => {
  await clock.advance(1_000)
  await vi.waitFor(() => expect(messages).toHaveLength(count))
}

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
  await vi.waitFor(() => expect(messages).toHaveLength(1))
  rmSync(path)
  await next(2)
  await clock.advance(5_000)
  writeFileSync(path, 'three')
  await next(3)
  expect(versions).toEqual(['two', { text: 'two' }, '', 'three', { text: 'three' }])
  expect(messages).toEqual([
    `--a-flag: ${path} has changed, and is in effect`,
    expect.stringMatching(/stays in effect: --a-flag: cannot read/),
    `--a-flag: ${path} has changed, and is in effect`,
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
  await clock.advance(58_000)
  expect(tries).toEqual(['two'])
  await clock.advance(2_000)
  await vi.waitFor(() => expect(messages).toHaveLength(2))
  writeFileSync(path, 'wrong')
  await next(3)
  await clock.advance(600_000)
  writeFileSync(path, 'three')
  await next(4)
  expect(tries).toEqual(['two', 'two', 'wrong', 'three'])
})
