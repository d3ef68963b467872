import { FileError } from '../../files/index.ts'
import type { Input } from '../../process/input.ts'
import { decodeText } from '../../text/text.ts'
import type { AppletContext } from '../context/applet-context.ts'
import { cannotOpen } from '../context/each-file.ts'

/** The lines of all files as one sequence. It reads one line ahead, to know which line is the last (`$`). */
export class LineSource {
  readonly #context: AppletContext
  readonly #lines: AsyncGenerator<{ text: string; ended: boolean }>
  #ahead: { text: string; ended: boolean } | undefined
  #started = false
  number = 0
  status = 0
  /** Whether the line that was returned last had a newline. */
  ended = true

  constructor(context: AppletContext, paths: readonly string[]) {
    this.#context = context
    this.#lines = this.#all(paths.length > 0 ? paths : ['-'])
  }

  get last(): boolean {
    return this.#ahead === undefined
  }

  /** Closes the file that is being read. */
  async close(): Promise<void> {
    await this.#lines.return(undefined)
  }

  async next(): Promise<string | undefined> {
    if (!this.#started) this.#ahead = await this.#pull()
    this.#started = true
    const line = this.#ahead
    if (!line) return undefined
    this.#ahead = await this.#pull()
    this.number++
    this.ended = line.ended || this.#ahead !== undefined
    return line.text
  }

  async #pull(): Promise<{ text: string; ended: boolean } | undefined> {
    const result = await this.#lines.next()
    return result.done ? undefined : result.value
  }

  async *#all(paths: readonly string[]): AsyncGenerator<{ text: string; ended: boolean }> {
    for (const path of paths) {
      try {
        using file = this.#context.open(path)
        yield* this.#from(file.input)
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        await this.#context.complain(cannotOpen(path, error))
        this.status = 1
      }
    }
  }

  async *#from(input: Input): AsyncGenerator<{ text: string; ended: boolean }> {
    for await (const { bytes, ended } of this.#context.lines(input)) yield { text: decodeText(bytes), ended }
  }
}
