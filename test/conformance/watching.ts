import type { ApiResponse } from '@homeostat/api'
import type { Told } from './answer.ts'

/** A watch that is read in the background, line by line. */
export class Watching {
  readonly #waiting: unknown[] = []
  #ended = false

  constructor({ body }: ApiResponse) {
    const chunks = body instanceof Uint8Array ? [body] : body
    void this.#read(chunks).catch(() => (this.#ended = true))
  }

  /** How many events have come and were not taken. */
  get count(): number {
    return this.#waiting.length
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The events since the last call. */
  take(): Told {
    return { events: this.#waiting.splice(0), ended: this.#ended }
  }

  async #read(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      this.#waiting.push(
        ...lines.map((line) => JSON.parse(line) as unknown).filter((event) => !isBeat(event)),
      )
    }
    this.#ended = true
  }
}

/** A bookmark that comes at the server's own time, and says nothing else. */
function isBeat(event: any): boolean {
  return event.type === 'BOOKMARK' && !JSON.stringify(event).includes('initial-events-end')
}
