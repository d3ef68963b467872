import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { findProgram } from '../../images/index.ts'

/** How many digits of the mark name the run, and how many all of it has. */
const RUN_DIGITS = 5
const DIGITS = 19
/** The line of `/proc/<pid>/limits` that carries the mark. */
const LINE = /^Max realtime timeout +(\d+) /m

/**
 * Marks processes by a resource limit. Every process inherits it, and does not lose it by a new session, a
 * new environment, another folder or closed files. It is the limit on the processor time of real-time
 * processes, set to thousands of years so that it limits nothing. Its digits are the mark: nine for the node,
 * five for the process of the node, five for the run. It needs Linux and util-linux's `prlimit`; elsewhere
 * nothing is marked.
 */
export class ProcessMark {
  /** The digits of all processes that this process starts. */
  readonly own: string
  /** The digits of all processes of the node, including those that an earlier process has started. */
  readonly #node: string
  /** The program that sets the limit; `false` where there is none, or it may not. */
  #setter: string | false | undefined
  #runs = 0
  #wanted: { readonly marks: string[]; readonly done: Promise<void> } | undefined
  #looking: Promise<void> = Promise.resolve()

  /** `identity` is unique to the node on this machine; the same identity has the same mark. */
  constructor(identity: string) {
    const number = createHash('sha256').update(identity).digest().readUInt32BE(0) % 100_000_000
    this.#node = String(100_000_000 + number)
    this.own = this.#node + String(process.pid % 100_000).padStart(5, '0')
  }

  /** The command that starts the program with a new mark, and the mark. */
  wrap(
    program: string,
    args: readonly string[],
  ): { readonly program: string; readonly args: readonly string[]; readonly mark?: string } {
    this.#setter ??= findSetter(this.#next())
    if (this.#setter === false) return { program, args }
    const mark = this.#next()
    return { program: this.#setter, args: [`--rttime=${mark}:`, program, ...args], mark }
  }

  /**
   * Ends every process that has the mark, or without one every process of the node, until none is left. Calls during a scan
   * of the machine's processes share the next scan.
   */
  endAll(mark: string = this.#node): Promise<void> {
    if (process.platform !== 'linux') return Promise.resolve()
    this.#wanted ??= { marks: [], done: this.#looking.then(() => this.#look()) }
    this.#wanted.marks.push(mark)
    this.#looking = this.#wanted.done
    return this.#wanted.done
  }

  async #look(): Promise<void> {
    const marks = this.#wanted?.marks ?? []
    this.#wanted = undefined
    for (let round = 0; round < 10; round++) {
      const found = await marked(marks)
      if (found.length === 0) return
      for (const pid of found) end(pid)
    }
  }

  #next(): string {
    return this.own + String(this.#runs++ % 10 ** RUN_DIGITS).padStart(RUN_DIGITS, '0')
  }
}

/** Whether the system can set the limit at all is tried once. */
function findSetter(mark: string): string | false {
  if (process.platform !== 'linux') return false
  const [setter, nothing] = [findProgram('prlimit', '/'), findProgram('true', '/')]
  if (setter === undefined || nothing === undefined) return false
  const tried = spawnSync(setter, [`--rttime=${mark}:`, nothing], { stdio: 'ignore', env: {} })
  return tried.status === 0 ? setter : false
}

async function marked(marks: readonly string[]): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '')
      const digits = LINE.exec(limits)?.[1] ?? ''
      if (digits.length !== DIGITS || !marks.some((mark) => digits.startsWith(mark))) return []
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      // A zombie does not count.
      return stat === '' || stat.includes(') Z ') ? [] : [Number(pid)]
    }),
  )
  return found.flat()
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
