import { chmodSync, closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { SystemClock, type Clock, type Timer, type Work } from '@homeostat/api'
import { hostsLines, type HostsEntry } from './hosts-lines.ts'
import { placedLines } from './placed-lines.ts'

/** A hosts file that is kept up to date. */
export interface HostsFile {
  readonly path: string
  /** From now on the file is not written any more. It stays where it is. */
  close(): void
}

export interface HostsFileOptions {
  readonly path: string
  /** The namespace whose short names it has. */
  readonly namespace: string
  /** Its fixed beginning. */
  readonly head: string
}

interface Open {
  readonly path: string
  /** How many bytes come before the part that changes. */
  readonly start: number
}

/** How long further changes are waited for, in the machine's own time. */
const PAUSE = 20

/** Files are read by processes, which live in the machine's own time. */
const machine = new SystemClock()

/**
 * Hosts files that follow the Services of the cluster while processes read them. A file is changed in place,
 * because a mount would not show another file in its place. While it is written, readers still find every
 * line that has not changed.
 */
export class HostsFiles {
  readonly #entries: () => readonly HostsEntry[]
  readonly #clock: Clock
  readonly #files = new Map<string, Set<Open>>()
  /** The text of a namespace's files after their beginnings. */
  readonly #texts = new Map<string, string>()
  #pending: { readonly timer: Timer; readonly work: Work } | undefined

  constructor(options: { entries: () => readonly HostsEntry[]; clock: Clock }) {
    this.#entries = options.entries
    this.#clock = options.clock
  }

  /** Writes a file, and keeps it up to date until it is closed. */
  open({ path, namespace, head }: HostsFileOptions): HostsFile {
    const start = Buffer.from(head === '' || head.endsWith('\n') ? head : `${head}\n`)
    const text = this.#texts.get(namespace) ?? hostsLines(this.#entries(), namespace).join('')
    writeFileSync(path, Buffer.concat([start, Buffer.from(text)]))
    // Readable by all, since a process may change its user and must still read it.
    chmodSync(path, 0o644)
    const file: Open = { path, start: start.length }
    const files = this.#files.get(namespace) ?? new Set()
    this.#files.set(namespace, files.add(file))
    this.#texts.set(namespace, text)
    return {
      path,
      close: () => {
        files.delete(file)
        if (files.size > 0 || this.#files.get(namespace) !== files) return
        this.#files.delete(namespace)
        this.#texts.delete(namespace)
      },
    }
  }

  /** Called when the entries may have changed. The files are updated soon after. */
  changed(): void {
    if (this.#pending || this.#files.size === 0) return
    const work = this.#clock.busy('names for processes')
    this.#pending = { timer: machine.schedule(PAUSE, () => this.#write()), work }
  }

  close(): void {
    this.#files.clear()
    this.#texts.clear()
    this.#endPending()
  }

  #write(): void {
    this.#endPending()
    const entries = this.#entries()
    for (const [namespace, files] of this.#files) {
      const before = this.#texts.get(namespace) ?? ''
      const text = placedLines(before, hostsLines(entries, namespace))
      if (text === before) continue
      this.#texts.set(namespace, text)
      for (const file of files) writeOver(file, text)
    }
  }

  #endPending(): void {
    this.#pending?.timer.cancel()
    this.#pending?.work.end()
    this.#pending = undefined
  }
}

function writeOver({ path, start }: Open, text: string): void {
  let file: number | undefined
  try {
    file = openSync(path, 'r+')
    writeSync(file, text, start)
  } catch {
    // Its Pod's folder was removed, or the disk is full: what it said stays.
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
