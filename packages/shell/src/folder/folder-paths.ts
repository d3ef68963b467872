import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { FileError, fileErrorFrom } from '../files/index.ts'

/** A folder or file of this machine that is mounted in a container. */
export interface Mount {
  /** Where in the container. */
  readonly path: string
  /** A path of this machine. */
  readonly source: string
  readonly readOnly: boolean
}

/** Where a path of the container leads. */
export interface Place {
  /** The path in the container, without links, `.` or `..`. */
  readonly path: string
  /** The path on this machine. */
  readonly host: string
  /** The mount that contains it; none in the container's own root. */
  readonly mount: Mount | undefined
  readonly exists: boolean
}

const MOST_LINKS = 40
const LONGEST_PATH = 4_096

/**
 * Resolves paths of a container, as the kernel does after `chroot`: part by part, with links that start from
 * the container's own root, and `..` at the root stays there. So no path leads out, whatever the folders
 * contain. Another process may change a path right after it was resolved: the code that opens it checks
 * again.
 */
export class FolderPaths {
  readonly #root: string
  readonly #mounts: ReadonlyMap<string, Mount>
  readonly #sources = new Map<string, string>()

  constructor(root: string, mounts: readonly Mount[]) {
    this.#root = realpathSync(root)
    this.#mounts = new Map(mounts.map((mount) => [normalized(mount.path), mount]))
    // Now, before a container that has the same volume could put a link in the place of a source.
    for (const mount of mounts) this.#sourceOf(mount)
  }

  /** The place of an absolute path. A link at its end is followed only if that is asked for. */
  find(path: string, follow: boolean): Place {
    if (!path.startsWith('/') || path.includes('\0')) throw new FileError('EINVAL', path)
    if (path.length > LONGEST_PATH) throw new FileError('ENAMETOOLONG', path)
    const left = path.split('/').reverse()
    const mustBeFolder = path.endsWith('/') || path.endsWith('/.')
    let at: string[] = []
    let exists = true
    for (let links = 0; left.length > 0;) {
      const name = left.pop() ?? ''
      if (name === '' || name === '.') continue
      if (!exists) throw new FileError('ENOENT', path)
      if (name === '..') {
        at = at.slice(0, -1)
        continue
      }
      const next = [...at, name]
      const kind = this.#kind(next, path)
      const last = !left.some((part) => part !== '' && part !== '.')
      if (kind === 'link' && (!last || follow || mustBeFolder)) {
        if (++links > MOST_LINKS) throw new FileError('ELOOP', path)
        const target = readlinkSync(this.#host(next))
        if (target.length > LONGEST_PATH) throw new FileError('ENAMETOOLONG', path)
        left.push(...target.split('/').reverse())
        if (target.startsWith('/')) at = []
        continue
      }
      exists = kind !== 'missing'
      if (exists && kind !== 'folder' && (!last || mustBeFolder)) throw new FileError('ENOTDIR', path)
      at = next
    }
    const mount = this.#mountOf(at)
    return { path: `/${at.join('/')}`, host: this.#host(at), mount, exists }
  }

  /** The names that are mounted directly in a folder. */
  mountedIn(folder: string): string[] {
    const prefix = folder === '/' ? '/' : `${folder}/`
    return [...this.#mounts.keys()]
      .filter((path) => path.startsWith(prefix) && path !== '/')
      .map((path) => path.slice(prefix.length))
      .filter((name) => name !== '' && !name.includes('/'))
  }

  isMountPoint(path: string): boolean {
    return path === '/' || this.#mounts.has(path)
  }

  #kind(at: readonly string[], shown: string): 'link' | 'folder' | 'missing' | 'other' {
    try {
      const stats = lstatSync(this.#host(at), { throwIfNoEntry: false })
      if (stats === undefined) return 'missing'
      return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'other'
    } catch (error) {
      throw fileErrorFrom(error, shown)
    }
  }

  #mountOf(at: readonly string[]): Mount | undefined {
    for (let length = at.length; length >= 0; length--) {
      const mount = this.#mounts.get(`/${at.slice(0, length).join('/')}`)
      if (mount) return mount
    }
    return undefined
  }

  #host(at: readonly string[]): string {
    const mount = this.#mountOf(at)
    if (!mount) return join(this.#root, ...at)
    const depth = normalized(mount.path).split('/').filter(Boolean).length
    return join(this.#sourceOf(mount), ...at.slice(depth))
  }

  /** Looked up once, so that a link that later replaces the source is not followed. */
  #sourceOf(mount: Mount): string {
    const known = this.#sources.get(mount.path)
    if (known !== undefined) return known
    try {
      const source = realpathSync(mount.source)
      this.#sources.set(mount.path, source)
      return source
    } catch {
      return mount.source
    }
  }
}

function normalized(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}`
}
