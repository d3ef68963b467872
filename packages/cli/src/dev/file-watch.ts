import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs'
import { join, sep } from 'node:path'
import type { Clock, Timer } from '@homeostat/api'

/** How long to wait after a change: an editor writes a file in several steps, which count as one save. */
const PAUSE = 20
const IGNORED = new Set(['node_modules', '.git', '.homeostat', 'dist', 'coverage', 'manifests', 'chart'])
const SOURCES = /\.(?:[cm]?[jt]s|json)$/
const TESTS = /\.test\.[cm]?[jt]s$/

/** Systems that watch a whole tree by themselves. Elsewhere Node watches each file, and loses a file that an editor replaces. */
const WATCHES_TREES = process.platform === 'darwin' || process.platform === 'win32'

/** Calls back once after each save of source files below a folder. Ignores tests and installed packages. */
export class FileWatch implements Disposable {
  readonly #root: string
  readonly #clock: Clock
  readonly #onSave: (files: readonly string[]) => void
  /** By the path of the watched folder below the root, which is itself the empty path. */
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #changed = new Set<string>()
  #timer: Timer | undefined

  constructor(folder: string, clock: Clock, onSave: (files: readonly string[]) => void) {
    this.#root = folder
    this.#clock = clock
    this.#onSave = onSave
    this.#watch('')
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel()
    this.#unwatch('')
  }

  /** Watches a folder and those in it. Returns the files that it has by now. */
  #watch(folder: string): string[] {
    const path = join(this.#root, folder)
    try {
      const watcher = watch(path, { recursive: WATCHES_TREES }, (event, name) => {
        if (name !== null) this.#hear(join(folder, name), event === 'rename')
      })
      // The folder may be deleted while it is watched.
      watcher.on('error', () => undefined)
      this.#watchers.set(folder, watcher)
      if (WATCHES_TREES) return []
      return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
        const inside = join(folder, entry.name)
        if (!entry.isDirectory()) return [inside]
        return IGNORED.has(entry.name) ? [] : this.#watch(inside)
      })
    } catch (error) {
      if (folder === '') throw error
      // It was deleted a moment ago.
      return []
    }
  }

  /** Ends the watches of a folder and of those in it. */
  #unwatch(folder: string): void {
    for (const [path, watcher] of this.#watchers) {
      if (folder !== '' && path !== folder && !path.startsWith(folder + sep)) continue
      watcher.close()
      this.#watchers.delete(path)
    }
  }

  #hear(path: string, isRename: boolean): void {
    if (path.split(sep).some((part) => IGNORED.has(part))) return
    if (isRename && !WATCHES_TREES) {
      // A folder of this name is new, gone, or another one than before.
      this.#unwatch(path)
      if (statSync(join(this.#root, path), { throwIfNoEntry: false })?.isDirectory()) {
        for (const file of this.#watch(path)) this.#add(file)
        return
      }
    }
    this.#add(path)
  }

  #add(file: string): void {
    if (!SOURCES.test(file) || TESTS.test(file)) return
    this.#changed.add(file)
    this.#timer ??= this.#clock.schedule(PAUSE, () => {
      this.#timer = undefined
      const files = [...this.#changed]
      this.#changed.clear()
      this.#onSave(files)
    })
  }
}
