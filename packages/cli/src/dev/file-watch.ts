import { watch, type FSWatcher } from 'node:fs'
import { sep } from 'node:path'
import type { Clock, Timer } from '@homeostat/api'

/** How long to wait after a change: an editor writes a file in several steps, which count as one save. */
const PAUSE = 20
const IGNORED = new Set(['node_modules', '.git', '.homeostat', 'dist', 'coverage', 'manifests', 'chart'])
const SOURCES = /\.(?:[cm]?[jt]s|json)$/
const TESTS = /\.test\.[cm]?[jt]s$/

/** Calls back once after each save of source files below a folder. Ignores tests and installed packages. */
export class FileWatch implements Disposable {
  readonly #watcher: FSWatcher
  readonly #clock: Clock
  readonly #changed = new Set<string>()
  #timer: Timer | undefined

  constructor(folder: string, clock: Clock, onSave: (files: readonly string[]) => void) {
    this.#clock = clock
    this.#watcher = watch(folder, { recursive: true }, (_event, file) => {
      if (file !== null && counts(file)) this.#add(file, onSave)
    })
    // A folder may be deleted while it is watched.
    this.#watcher.on('error', () => undefined)
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel()
    this.#watcher.close()
  }

  #add(file: string, onSave: (files: readonly string[]) => void): void {
    this.#changed.add(file)
    this.#timer ??= this.#clock.schedule(PAUSE, () => {
      this.#timer = undefined
      const files = [...this.#changed]
      this.#changed.clear()
      onSave(files)
    })
  }
}

function counts(file: string): boolean {
  const parts = file.split(sep)
  return SOURCES.test(file) && !TESTS.test(file) && !parts.some((part) => IGNORED.has(part))
}
