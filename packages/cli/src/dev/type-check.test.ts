import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TypeCheck } from './type-check.ts'

/** Reports its process id as an error, and goes on. */
const COMPILER = `
console.log('kind.ts(1,1): error TS1: ' + process.pid)
console.log('10:00:00 AM - Found 1 error. Watching for file changes.')
setInterval(() => undefined, 1000)
`

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-types-'))
  const files = {
    'tsconfig.json': '{}',
    'node_modules/typescript/package.json': '{ "bin": { "tsc": "./tsc.mjs" } }',
    'node_modules/typescript/tsc.mjs': COMPILER,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
})
afterEach(() => rmSync(folder, { recursive: true }))

function isStopped(pid: number): boolean {
  return /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
}

describe.skipIf(process.platform !== 'linux')('the compiler', () => {
  it('stops while an operator restarts, at most for a second', async () => {
    const clock = new SimulatedClock()
    const said = Promise.withResolvers<string>()
    const types = TypeCheck.start(folder, clock, said.resolve)
    const pid = Number(/error TS1: (\d+)/.exec(await said.promise)?.[1])

    types?.pause()
    await expect.poll(() => isStopped(pid)).toBe(true)
    types?.resume()
    await expect.poll(() => isStopped(pid)).toBe(false)

    types?.pause()
    await expect.poll(() => isStopped(pid)).toBe(true)
    await clock.advance(1_000)
    await expect.poll(() => isStopped(pid)).toBe(false)

    types?.pause()
    await types?.[Symbol.asyncDispose]()
    expect(() => process.kill(pid, 0)).toThrow()
  })
})
