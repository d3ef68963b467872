import type { OpenFileLimit } from '../files/index.ts'
import { ShellFailure } from './shell-failure.ts'

/** How many processes of the shell a Pod may have at once: a limit on processes as nodes set it. */
const MOST_PROCESSES = 512
/** How many bytes the processes of a Pod may hold in variables, buffers and pipes. */
const MOST_MEMORY = 64 * 1024 ** 2
/** How many files the processes of a Pod may have open at once. They are open in the cluster's own process. */
const MOST_OPEN_FILES = 1_024

/** The resources that all runs of the shell in a Pod share: its containers, and the commands that run beside them. */
export class PodResources implements OpenFileLimit {
  readonly #onUnused: () => void
  #runs = 0
  processes = 0
  memory = 0
  openFiles = 0

  constructor(onUnused: () => void = () => undefined) {
    this.#onUnused = onUnused
  }

  hold(): this {
    this.#runs++
    return this
  }

  release(): void {
    if (--this.#runs === 0) this.#onUnused()
  }

  /** Counts a process that starts; fails where the Pod has too many. */
  fork(): void {
    if (this.processes >= MOST_PROCESSES) {
      throw new ShellFailure("can't fork: Resource temporarily unavailable")
    }
    this.processes++
  }

  countOpen(): boolean {
    if (this.openFiles >= MOST_OPEN_FILES) return false
    this.openFiles++
    return true
  }

  countClosed(): void {
    this.openFiles--
  }

  /** Whether this many more bytes may be held. */
  fits(bytes: number): boolean {
    return bytes <= 0 || this.memory + bytes <= MOST_MEMORY
  }

  /** Counts bytes that are held from now on; fails where the Pod holds too many. */
  allocate(bytes: number): void {
    if (!this.fits(bytes)) throw new ShellFailure('out of memory', { status: 1 })
    this.memory += bytes
  }
}
