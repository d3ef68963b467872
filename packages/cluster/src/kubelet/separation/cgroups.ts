import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SystemClock } from '@homeostat/api'
import { findCgroupPlaces, type CgroupPlaces } from './cgroup-places.ts'

export interface CgroupLimits {
  /** In bytes. Default: no limit. */
  readonly memory?: number | undefined
  /** Processes and threads at a time. Default: no limit. */
  readonly processes?: number | undefined
}

/** The processes of one run of a container, which they cannot leave. */
export interface Cgroup {
  /** Files to which a process writes its number to enter. */
  readonly entrances: readonly string[]
  /** The processes in it now. */
  processes(): number[]
  /** How many of its processes the system has ended because they used more memory than they may. */
  outOfMemory(): number
  /** Ends all of its processes and removes it. Resolves when none is left. */
  end(): Promise<void>
}

/** How often, and at what intervals of real time, it checks whether killed processes are gone. */
const ROUNDS = 200
const STEP = 5
const machine = new SystemClock()

/**
 * Control groups of Linux for the containers of one node. A group limits the processes of one run, and ends
 * them all, even those that try to hide. Both v1 and v2 are supported. The groups carry the node's name, so
 * that the next process of the same node finds the groups that a killed one has left.
 */
export class Cgroups {
  readonly #prefix: string
  readonly #own: string
  #places: CgroupPlaces | { readonly problem: string } | undefined
  #opened = false
  #runs = 0

  /** `identity` differs from that of every other node on this machine. `places` are the folders to make groups in; default: all that allow it. */
  constructor(identity: string, places?: CgroupPlaces) {
    this.#places = places
    this.#prefix = `homeostat-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}-`
    this.#own = `${this.#prefix}${process.pid}`
  }

  /** Why there are no groups here, as the end of a sentence. */
  get problem(): string | undefined {
    const places = this.#find()
    return 'problem' in places ? places.problem : undefined
  }

  /** The folders that hold all groups of this process. */
  get folders(): string[] {
    return this.#roots().map((root) => join(root, this.#own))
  }

  /** Makes a group; `undefined` where there are none here. */
  make(limits: CgroupLimits): Cgroup | undefined {
    const places = this.#find()
    if ('problem' in places) return undefined
    this.#open(places)
    const name = String(this.#runs++)
    const folders = this.folders.map((folder) => join(folder, name))
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    if (places.version === 2) limitUnified(folders[0] ?? '', limits)
    else limitSeparate(folderOf(folders, places, 'pids'), folderOf(folders, places, 'memory'), limits)
    const memory = places.version === 2 ? (folders[0] ?? '') : folderOf(folders, places, 'memory')
    return {
      entrances: folders.map((folder) => join(folder, 'cgroup.procs')),
      processes: () => processesIn(folders),
      outOfMemory: () => countIn(join(memory, places.version === 2 ? 'memory.events' : 'memory.oom_control')),
      end: () => endGroup(folders),
    }
  }

  /** Ends the processes that an earlier process of the same node has left. */
  async endLeftovers(): Promise<void> {
    for (const root of this.#roots()) {
      const left = names(root).filter((name) => name.startsWith(this.#prefix) && name !== this.#own)
      for (const name of left) {
        const folder = join(root, name)
        for (const run of names(folder)) await endGroup([join(folder, run)])
        remove(folder)
      }
    }
  }

  /** Removes the folders. A group that still has processes stays. */
  close(): void {
    if (!this.#opened) return
    for (const folder of this.folders) {
      for (const run of names(folder)) remove(join(folder, run))
      remove(folder)
    }
    this.#opened = false
  }

  #find(): CgroupPlaces | { readonly problem: string } {
    this.#places ??= findCgroupPlaces(this.#own)
    return this.#places
  }

  #roots(): string[] {
    const places = this.#find()
    if ('problem' in places) return []
    return places.version === 2 ? [places.folder] : Object.values(places.folders)
  }

  #open(places: CgroupPlaces): void {
    if (this.#opened) return
    this.#opened = true
    for (const root of this.#roots()) removeForgotten(root)
    for (const folder of this.folders) {
      mkdirSync(folder, { recursive: true })
      if (places.version === 2)
        write(folder, 'cgroup.subtree_control', places.controllers.map((c) => `+${c}`).join(' '))
    }
  }
}

function folderOf(
  folders: readonly string[],
  places: CgroupPlaces & { version: 1 },
  controller: string,
): string {
  return folders[Object.keys(places.folders).indexOf(controller)] ?? ''
}

function limitUnified(folder: string, { memory, processes }: CgroupLimits): void {
  if (processes !== undefined) write(folder, 'pids.max', String(processes))
  if (memory === undefined) return
  write(folder, 'memory.max', String(memory))
  attempt(() => write(folder, 'memory.swap.max', '0'))
  // As a kubelet does: a container that runs out of memory ends as a whole.
  attempt(() => write(folder, 'memory.oom.group', '1'))
}

function limitSeparate(pids: string, memoryFolder: string, { memory, processes }: CgroupLimits): void {
  if (processes !== undefined) write(pids, 'pids.max', String(processes))
  if (memory === undefined) return
  write(memoryFolder, 'memory.limit_in_bytes', String(memory))
  // Together with swap; not every system counts that.
  attempt(() => write(memoryFolder, 'memory.memsw.limit_in_bytes', String(memory)))
}

/** Ends all processes of a group, which may start others meanwhile, and removes it. */
async function endGroup(folders: readonly string[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    if (folders.map(remove).every(Boolean)) return
    for (const folder of folders) {
      attempt(() => write(folder, 'cgroup.kill', '1'))
      attempt(() => write(folder, 'pids.max', '0'))
    }
    for (const pid of processesIn(folders)) kill(pid)
    await new Promise<void>((resolve) => machine.schedule(STEP, resolve))
  }
}

function processesIn(folders: readonly string[]): number[] {
  const found = folders.flatMap((folder) => read(join(folder, 'cgroup.procs')).split('\n'))
  return [...new Set(found.map(Number).filter((pid) => pid > 0))]
}

function countIn(file: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(read(file))?.[1] ?? 0)
}

/** Removes the empty groups of processes that are gone, and whose node may never come back. */
function removeForgotten(root: string): void {
  for (const name of names(root)) {
    const pid = /^homeostat-[\da-f]{16}-(\d+)$/.exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    for (const run of names(join(root, name))) remove(join(root, name, run))
    remove(join(root, name))
  }
}

/** Whether the folder is gone. */
function remove(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    )
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function write(folder: string, file: string, text: string): void {
  writeFileSync(join(folder, file), text, { flag: 'r+' })
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // Not every system has it.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
