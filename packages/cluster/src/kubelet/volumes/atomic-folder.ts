import { lstat, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
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
 * it. A reader sees the old files or the new, never some of each and never half of one.
 */
export class AtomicFolder {
  readonly path: string
  #files: ReadonlyMap<string, VolumeFile> | undefined
  #version = 0

  constructor(path: string) {
    this.path = path
  }

  /** Makes the files what they should be. Names are relative, with folders in them as the case may be. */
  async write(files: ReadonlyMap<string, VolumeFile>): Promise<void> {
    if (this.#files && same(this.#files, files)) return
    const outdated = `..v${this.#version - 1}`
    const version = `..v${++this.#version}`
    const folder = join(this.path, version)
    await this.#clear(version, `${DATA}_new`)
    await mkdir(folder, { recursive: true, mode: 0o755 })
    for (const [name, file] of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o755 })
      await writeFile(join(folder, name), file.content, { mode: file.mode })
    }
    await symlink(version, join(this.path, `${DATA}_new`))
    if (await isFolder(join(this.path, DATA))) await this.#clear(DATA)
    await rename(join(this.path, `${DATA}_new`), join(this.path, DATA))
    await this.#link(new Set([...files.keys()].map((name) => name.split('/')[0] ?? name)))
    // The version before stays until the next one, for readers that are on their way into it.
    await this.#clear(outdated)
    this.#files = files
  }

  async #link(wanted: ReadonlySet<string>): Promise<void> {
    const present = (await readdir(this.path)).filter((name) => !name.startsWith('..'))
    for (const name of wanted) {
      if (!present.includes(name)) await symlink(`${DATA}/${name}`, join(this.path, name))
    }
    for (const name of present) {
      if (!wanted.has(name)) await this.#clear(name)
    }
  }

  /** Removes what has these names, whatever a container has put there: a link goes, not what it leads to. */
  async #clear(...names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(this.path, name), { recursive: true, force: true })
  }
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  return stats?.isDirectory() === true
}

function same(a: ReadonlyMap<string, VolumeFile>, b: ReadonlyMap<string, VolumeFile>): boolean {
  if (a.size !== b.size) return false
  for (const [name, file] of a) {
    const other = b.get(name)
    if (!other || other.mode !== file.mode || Buffer.compare(other.content, file.content) !== 0) return false
  }
  return true
}
