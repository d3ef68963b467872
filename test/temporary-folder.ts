import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Where Node keeps the compiled code of programs that ask for it, which later runs use again. */
const COMPILED = 'node-compile-cache'

/** How long processes that a test has ended may take to remove their files, in milliseconds. */
const TIMEOUT = 5_000

/** Before the first test of a run, and after the last. */
export default function setup(): (() => Promise<void>) | undefined {
  return ownTemporaryFolder()
}

/**
 * Gives the run a temporary folder of its own, and returns a function that removes it and fails if a test has left something in it.
 * The projects of one run share the folder: the first one makes it, and removes it when all have ended.
 */
export function ownTemporaryFolder(timeout = TIMEOUT): (() => Promise<void>) | undefined {
  if (process.env['HOMEOSTAT_TEMPORARY'] !== undefined) return undefined
  // A short name, since the path of a Unix socket has at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'hs-'))
  // Tests may run programs as other users.
  chmodSync(folder, 0o1777)
  const compiled = join(tmpdir(), COMPILED)
  mkdirSync(compiled, { recursive: true })
  symlinkSync(compiled, join(folder, COMPILED))
  process.env['HOMEOSTAT_TEMPORARY'] = folder
  process.env['TMPDIR'] = folder
  return async () => {
    const found = (): string[] => readdirSync(folder).filter((name) => name !== COMPILED)
    const end = performance.now() + timeout
    while (found().length > 0 && performance.now() < end) await setTimeout(50)
    const left = found()
    rmSync(folder, { recursive: true, force: true })
    if (left.length > 0) throw new Error(`tests left in the temporary folder: ${left.join(', ')}`)
  }
}
