import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SystemClock } from '@homeostat/api'
import { openStore } from '../../packages/apiserver/src/storage/open-store.ts'
import { isStoreFailure } from '../../packages/apiserver/src/storage/store-failure.ts'
import { StoreLedger, type Line, type WriterOptions } from './store-ledger.ts'

const PROGRAM = fileURLToPath(new URL('store-writer.ts', import.meta.url))
const SMALL_RESERVE = 4096
const clock = new SystemClock()

/** The outcome of the faults. */
export interface FaultReport {
  readonly checkpointKills: number
  readonly damages: number
  /** How many of these were refused; the others had damaged nothing that counts. */
  readonly refused: number
  readonly fullDiskKills: number
  /** Whether disks were really full, or files only limited, where no disk can be mounted. */
  readonly mounted: boolean
  readonly writes: number
}

/** How many faults of each kind there are. */
export interface FaultCounts {
  readonly checkpointKills: number
  readonly damages: number
  readonly fullDiskKills: number
}

/**
 * Kills writers of stores that make a checkpoint every few writes, damages what they left, and kills them on full
 * disks. Each time the store must have all that was acknowledged, or refuse to open and leave its files alone. Throws an
 * `Error` that names the first difference.
 */
export async function storeFaults(
  counts: FaultCounts,
  random: () => number,
  onFault: (report: FaultReport) => void = () => undefined,
): Promise<FaultReport> {
  const root = mkdtempSync(join(tmpdir(), 'homeostat-faults-'))
  const total = { checkpointKills: 0, damages: 0, refused: 0, fullDiskKills: 0, mounted: false, writes: 0 }
  try {
    const folder = join(root, 'store')
    const ledger = new StoreLedger()
    const older = join(root, 'older')
    while (total.checkpointKills < counts.checkpointKills) {
      const options = {
        checkpointPages: 1 + Math.floor(random() * 60),
        bytes: 2_000,
        reserveBytes: SMALL_RESERVE,
      }
      await killWriter(folder, ledger, { ...options, seed: random() * 2 ** 32 }, 30 + random() * 250)
      total.checkpointKills++
      const due = Math.ceil((counts.damages * total.checkpointKills) / counts.checkpointKills)
      while (total.damages < due) {
        if (damaged(folder, older, root, ledger, random)) total.refused++
        total.damages++
      }
      rmSync(older, { recursive: true, force: true })
      cpSync(folder, older, { recursive: true })
      reopen(folder, ledger)
      onFault({ ...total, writes: ledger.writes })
    }
    total.writes += ledger.writes
    while (total.fullDiskKills < counts.fullDiskKills) {
      const { kills, mounted, writes } = await onFullDisk(
        join(root, 'disk'),
        counts.fullDiskKills - total.fullDiskKills,
        random,
      )
      total.fullDiskKills += kills
      total.mounted = mounted
      total.writes += writes
      onFault(total)
    }
    return total
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Starts a writer, kills it after a while, and checks what it left. `ready` says from when on the time counts. */
async function killWriter(
  folder: string,
  ledger: StoreLedger,
  options: WriterOptions,
  delay: number,
  ready: (line: Line) => boolean = () => true,
): Promise<void> {
  const child = spawn(process.execPath, ['--conditions=source', PROGRAM, folder, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const exit = once(child, 'close')
  let timer: NodeJS.Timeout | undefined
  for await (const text of createInterface({ input: child.stdout })) {
    const line = lineOf(text)
    if (!line) continue
    ledger.take(line)
    if (!timer && ready(line)) timer = setTimeout(() => child.kill('SIGKILL'), delay)
  }
  clearTimeout(timer)
  const [, signal] = (await exit) as [number | null, string | null]
  if (signal !== 'SIGKILL') throw new Error(`the writer ended by itself: ${errors}`)
  verify(folder, ledger)
}

/** The last line may be cut off. */
function lineOf(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line
  } catch {
    return undefined
  }
}

/** Checks a copy, so that the store itself stays as the kill left it. */
function verify(folder: string, ledger: StoreLedger): void {
  const copy = mkdtempSync(join(tmpdir(), 'homeostat-copy-'))
  try {
    cpSync(folder, copy, { recursive: true })
    using store = openStore(copy, { clock, reserveBytes: SMALL_RESERVE })
    ledger.check(store)
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function reopen(folder: string, ledger: StoreLedger): void {
  using store = openStore(folder, { clock, reserveBytes: SMALL_RESERVE })
  ledger.check(store)
  ledger.goOn(store)
}

/** Damages a copy of the store. Returns whether it was refused; one that opens must be whole. */
function damaged(
  folder: string,
  older: string,
  root: string,
  ledger: StoreLedger,
  random: () => number,
): boolean {
  const copy = join(root, 'damaged')
  rmSync(copy, { recursive: true, force: true })
  cpSync(folder, copy, { recursive: true })
  const what = damageOne(copy, older, random)
  const before = contents(copy)
  try {
    using store = openStore(copy, { clock, reserveBytes: SMALL_RESERVE })
    ledger.check(store)
    return false
  } catch (error) {
    if (!isStoreFailure(error)) throw new Error(`${what}: ${(error as Error).message}`, { cause: error })
    if (contents(copy) !== before)
      throw new Error(`${what}: the store was refused, and its files were changed`, { cause: error })
    return true
  }
}

/** Damages one file in a way that chance chooses, and says what it did. */
function damageOne(folder: string, older: string, random: () => number): string {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-reserve'))
  const name = names[Math.floor(random() * names.length)] ?? 'store.db'
  const path = join(folder, name)
  const bytes = readFileSync(path)
  const kind = random()
  if (kind < 0.6 && bytes.length > 0) {
    const [start, count] = [Math.floor(random() * bytes.length), 1 + Math.floor(random() * 64)]
    for (let index = start; index < Math.min(bytes.length, start + count); index++) {
      bytes[index] = (bytes[index] ?? 0) ^ (1 + Math.floor(random() * 255))
    }
    writeFileSync(path, bytes)
    return `${count} bytes of ${name} changed at ${start}`
  }
  if (kind < 0.8) {
    const length = Math.floor(random() * bytes.length)
    truncateSync(path, length)
    return `${name} cut off at ${length}`
  }
  if (kind < 0.87) {
    truncateSync(path, 0)
    return `${name} emptied`
  }
  if (kind < 0.94) {
    rmSync(path)
    return `${name} removed`
  }
  try {
    copyFileSync(join(older, name), path)
    return `${name} replaced by an older copy`
  } catch {
    rmSync(path)
    return `${name} removed`
  }
}

function contents(folder: string): string {
  const names = readdirSync(folder).filter((name) => !name.endsWith('-reserve'))
  return names.map((name) => `${name} ${readFileSync(join(folder, name), 'base64')}`).join('\n')
}

/** Fills a disk, and kills the writer while it is full, a few times on each disk. */
async function onFullDisk(
  disk: string,
  most: number,
  random: () => number,
): Promise<{ kills: number; mounted: boolean; writes: number }> {
  mkdirSync(disk, { recursive: true })
  const mounted = process.getuid?.() === 0 && run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk)
  const ledger = new StoreLedger()
  const kills = Math.min(most, 5)
  try {
    // Forty values do not fit: the disk is full again and again.
    const limits = mounted
      ? { bytes: 700_000, reserveBytes: 10 * 1024 * 1024 }
      : { bytes: 100_000, maxBytes: 2_000_000, reserveBytes: SMALL_RESERVE }
    const folder = join(disk, 'store')
    for (let kill = 0; kill < kills; kill++) {
      const { full } = ledger
      const isFull = (): boolean => ledger.full > full + Math.floor(random() * 4)
      await killWriter(folder, ledger, { ...limits, seed: random() * 2 ** 32 }, random() * 60, isFull)
      using store = openStore(folder, { clock, reserveBytes: limits.reserveBytes })
      ledger.check(store)
      ledger.goOn(store)
    }
    return { kills, mounted, writes: ledger.writes }
  } finally {
    if (mounted) run('umount', '--lazy', disk)
    rmSync(disk, { recursive: true, force: true })
  }
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0
}
