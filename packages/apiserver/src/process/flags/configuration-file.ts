import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SystemClock, type Clock, type Timer } from '@homeostat/api'
import { FollowedConfiguration, TemporaryProblem } from '../../configuration/index.ts'
import { readText } from './files.ts'
import { complain } from './say.ts'

/** How often the file is read, in milliseconds. */
const INTERVAL = 1_000
/** How long after a temporary problem the same text is tried again, as in kube-apiserver. */
const RETRY = 60_000

/** How a flag's file is followed. */
export interface FollowFileOptions {
  /** The flag that names the file. */
  readonly flag: string
  readonly clock: Clock
  /** Parses the text. */
  readonly parse: (text: string) => Promise<unknown>
  /** Takes a message about each version. */
  readonly tell: (message: string) => void
  /** Reads the file later; undefined where it cannot be read. Default: by the system. */
  readonly read?: (path: string) => Promise<string | undefined>
}

/** The configuration in a file, which takes effect again when the file changes. Fails as `parse` does. */
export function followFile(
  flag: string,
  path: string,
  parse: (text: string) => Promise<unknown>,
): Promise<ConfigurationFile> {
  return ConfigurationFile.open(path, { flag, clock: new SystemClock(), parse, tell: complain })
}

/** The configuration in a file, and what it says later. */
export class ConfigurationFile extends FollowedConfiguration {
  readonly text: string
  readonly value: unknown
  readonly #path: string
  readonly #options: FollowFileOptions

  private constructor(path: string, text: string, value: unknown, options: FollowFileOptions) {
    super()
    this.#path = path
    this.text = text
    this.value = value
    this.#options = options
  }

  /** Reads a file. Fails with `FILE_NOT_READABLE`, or as `parse` does. */
  static async open(path: string, options: FollowFileOptions): Promise<ConfigurationFile> {
    const text = readText(options.flag, path)
    return new ConfigurationFile(resolve(path), text, await options.parse(text), options)
  }

  /** A pipe, for example, can be read only once, and is not followed. */
  override follow(changed: (text: string, read: () => Promise<unknown>) => Promise<void>): Disposable {
    if (!statSync(this.#path, { throwIfNoEntry: false })?.isFile())
      return { [Symbol.dispose]: () => undefined }
    const following = new Following(this.#path, this.text, this.#options, changed)
    following.begin()
    return following
  }
}

/**
 * Looks for later versions of a file. It reads the file, since a notification can be lost. A version counts when it was read twice
 * in a row, since a program may still be writing it.
 */
class Following implements Disposable {
  readonly #path: string
  readonly #options: FollowFileOptions
  readonly #changed: (text: string, read: () => Promise<unknown>) => Promise<void>
  /** The text that took effect or was refused last; undefined where the file could not be read. */
  #tried: string | undefined
  /** The text that was read last; undefined at first. */
  #seen: { readonly text: string | undefined } | undefined
  /** When the same text is tried again, by the monotonic clock. */
  #retryAt = Number.POSITIVE_INFINITY
  #timer: Timer | undefined
  #isOver = false

  constructor(
    path: string,
    text: string,
    options: FollowFileOptions,
    changed: (text: string, read: () => Promise<unknown>) => Promise<void>,
  ) {
    this.#path = path
    this.#tried = text
    this.#options = options
    this.#changed = changed
  }

  begin(): void {
    void this.#look()
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#timer?.cancel()
  }

  async #look(): Promise<void> {
    // Another version may come while one takes effect.
    while (!this.#isOver && (await this.#tryNext())) continue
    if (!this.#isOver) this.#timer = this.#options.clock.schedule(INTERVAL, () => void this.#look())
  }

  /** Lets the present version take effect. Returns false where there is nothing new to try. */
  async #tryNext(): Promise<boolean> {
    const { flag, clock, parse, tell, read = textOf } = this.#options
    const text = await read(this.#path)
    if (this.#isOver) return false
    const isSettled = this.#seen?.text === text
    this.#seen = { text }
    if (text === this.#tried ? clock.monotonic() < this.#retryAt : !isSettled) return false
    this.#tried = text
    this.#retryAt = Number.POSITIVE_INFINITY
    try {
      await this.#changed(text ?? '', async () => parse(text ?? readText(flag, this.#path)))
      tell(`--${flag}: ${this.#path} has changed, and its new content is in effect`)
    } catch (error) {
      if (this.#isOver) return false
      const why = error instanceof Error ? error.message : String(error)
      tell(`--${flag}: ${this.#path} has changed, but its previous content stays in effect: ${why}`)
      if (error instanceof TemporaryProblem) this.#retryAt = clock.monotonic() + RETRY
    }
    return true
  }
}

/** The text of a file; undefined where it cannot be read now. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}
