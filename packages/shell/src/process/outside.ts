import type { OutputWriter } from '../host/output-writer.ts'
import { Input } from './input.ts'
import { unlessAborted } from './killed.ts'
import type { Output } from './output.ts'

/** Input from outside of the run. An aborted read leaves its bytes for the next. */
export class OutsideInput extends Input {
  readonly #iterator: AsyncIterator<Uint8Array>
  #pending: Promise<IteratorResult<Uint8Array>> | undefined
  #ended = false

  constructor(source: AsyncIterable<Uint8Array>) {
    super()
    this.#iterator = source[Symbol.asyncIterator]()
  }

  protected override async pull(signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined
    this.#pending ??= this.#iterator.next()
    let result: IteratorResult<Uint8Array>
    try {
      result = await unlessAborted(this.#pending, signal)
    } catch (error) {
      if (signal.aborted) throw error
      // A broken connection counts as the end.
      this.#ended = true
      return undefined
    }
    this.#pending = undefined
    if (result.done) this.#ended = true
    return result.done ? undefined : result.value
  }
}

/** Output to the outside of the run. */
export class OutsideOutput implements Output {
  readonly #writer: OutputWriter

  constructor(writer: OutputWriter) {
    this.#writer = writer
  }

  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    if (bytes.length === 0) return
    this.#writer.write(bytes)
    const { ready } = this.#writer
    if (ready) await unlessAborted(ready, signal)
  }
}
