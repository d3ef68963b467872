import type { TerminalSize } from './stream-session.ts'
import type { Intake } from './spdy/intake.ts'

/** The longest text of a size. */
const LONGEST = 1_024
const LARGEST = 65_535

/**
 * Reads the sizes of a client's terminal: JSON documents one after the other, `{"Width":80,"Height":24}`. Only the newest
 * waits to be read, so that a command that never reads does not block the client. Anything else is ignored.
 */
export class TerminalSizes implements Intake {
  readonly readable: ReadableStream<TerminalSize>
  readonly #decoder = new TextDecoder()
  #controller!: ReadableStreamDefaultController<TerminalSize>
  #text = ''
  #newest: TerminalSize | undefined
  /** Whether a reader waits for a size. */
  #wanted = false
  #open = true

  constructor() {
    this.readable = new ReadableStream<TerminalSize>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => {
          this.#wanted = true
          this.#offer()
        },
        cancel: () => {
          this.#open = false
        },
      },
      { highWaterMark: 0 },
    )
  }

  write(bytes: Uint8Array): undefined {
    if (!this.#open) return
    this.#text = (this.#text + this.#decoder.decode(bytes, { stream: true })).slice(-LONGEST)
    for (let end = this.#text.indexOf('}'); end >= 0; end = this.#text.indexOf('}')) {
      const size = sizeOf(this.#text.slice(0, end + 1))
      this.#text = this.#text.slice(end + 1)
      if (size) this.#newest = size
    }
    this.#offer()
  }

  end(): void {
    if (!this.#open) return
    this.#open = false
    this.#controller.close()
  }

  fail(): void {
    this.end()
  }

  #offer(): void {
    if (!this.#newest || !this.#wanted || !this.#open) return
    this.#wanted = false
    this.#controller.enqueue(this.#newest)
    this.#newest = undefined
  }
}

function sizeOf(text: string): TerminalSize | undefined {
  try {
    const { Width: width, Height: height } = JSON.parse(text) as Record<string, unknown>
    return isLength(width) && isLength(height) ? { width, height } : undefined
  } catch {
    return undefined
  }
}

function isLength(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LARGEST
}
