import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** A file of a volume. */
export interface VolumeFile {
  readonly content: Uint8Array
  readonly mode: number
}

const DATA = '..data'

/**
 * A folder whose files change all at once. They live in a folder of their own version; `..data` is a
 * link to the current version, exchanged in one step, and the names that readers use are links through
 * it. A reader sees all old files or all new ones, and never a part of a file. The calls are synchronous: the files
 * are small, and the order of events does not depend on the machine's load.
 */
export class AtomicFolder {
  readonly path: string
  /** The current content of the folder. */
  #files: ReadonlyMap<string, VolumeFile> | undefined
  /** The intended content, until the folder is opened. */
  #wanted: ReadonlyMap<string, VolumeFile> | undefined
  #isOpen = false
  #version = 0

  constructor(path: string) {
    this.path = path
  }

  /**
   * Replaces the files. If the folder is not open, they are written when it is opened. Names are relative and may
   * contain folders.
   */
  write(files: ReadonlyMap<string, VolumeFile>): void {
    this.#wanted = files
    if (this.#isOpen) this.#write(files)
  }

  /** Makes the folder with its files. It replaces what an earlier process left there. */
  open(): void {
    if (this.#isOpen) return
    rmSync(this.path, { recursive: true, force: true })
    mkdirSync(this.path, { recursive: true, mode: 0o777 })
    this.#isOpen = true
    if (this.#wanted) this.#write(this.#wanted)
  }

  #write(files: ReadonlyMap<string, VolumeFile>): void {
    if (this.#files && same(this.#files, files)) return
    const outdated = `..v${this.#version - 1}`
    const version = `..v${++this.#version}`
    const folder = join(this.path, version)
    if (this.#files) this.#clear(version, `${DATA}_new`)
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    for (const [name, file] of files) {
      if (name.includes('/')) mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o755 })
      writeFileSync(join(folder, name), file.content, { mode: file.mode })
      // The process's own mask takes bits away.
      if ((file.mode & 0o022) !== 0) chmodSync(join(folder, name), file.mode)
    }
    symlinkSync(version, join(this.path, `${DATA}_new`))
    if (this.#files && isFolder(join(this.path, DATA))) this.#clear(DATA)
    renameSync(join(this.path, `${DATA}_new`), join(this.path, DATA))
    this.#link(new Set([...files.keys()].map((name) => name.split('/')[0] ?? name)))
    // The version before stays until the next one, for readers that are on their way into it.
    if (this.#files) this.#clear(outdated)
    this.#files = files
  }

  #link(wanted: ReadonlySet<string>): void {
    const present = readdirSync(this.path).filter((name) => !name.startsWith('..'))
    for (const name of wanted) {
      if (!present.includes(name)) symlinkSync(`${DATA}/${name}`, join(this.path, name))
    }
    for (const name of present) {
      if (!wanted.has(name)) this.#clear(name)
    }
  }

  /** Removes the entries of these names, whatever a container has put there. Removes a link, but not its target. */
  #clear(...names: readonly string[]): void {
    for (const name of names) rmSync(join(this.path, name), { recursive: true, force: true })
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function same(a: ReadonlyMap<string, VolumeFile>, b: ReadonlyMap<string, VolumeFile>): boolean {
  if (a.size !== b.size) return false
  for (const [name, file] of a) {
    const other = b.get(name)
    if (!other || other.mode !== file.mode || Buffer.compare(other.content, file.content) !== 0) return false
  }
  return true
}
