import { Input } from './input.ts'
import { BrokenPipe, unlessAborted } from './killed.ts'
import type { Output } from './output.ts'

/** How many bytes a pipe holds. */
const CAPACITY = 65_536

/** A pipe between two processes. The writer waits while it is full, the reader while it is empty. */
export class Pipe {
  readonly input: Input
  readonly output: Output

  constructor() {
    const state = new PipeState()
    this.input = new PipeInput(state)
    this.output = new PipeOutput(state)
  }
}

class PipeState {
  readonly chunks: Uint8Array[] = []
  length = 0
  /** No more will be written. */
  ended = false
  /** No more will be read. */
  unread = false
  #changed = Promise.withResolvers<void>()

  get changed(): Promise<void> {
    return this.#changed.promise
  }

  change(): void {
    this.#changed.resolve()
    this.#changed = Promise.withResolvers<void>()
  }
}

class PipeInput extends Input {
  readonly #state: PipeState

  constructor(state: PipeState) {
    super()
    this.#state = state
  }

  protected override async pull(signal: AbortSignal): Promise<Uint8Array | undefined> {
    const state = this.#state
    for (;;) {
      const chunk = state.chunks.shift()
      if (chunk) {
        state.length -= chunk.length
        state.change()
        return chunk
      }
      if (state.ended) return undefined
      await unlessAborted(state.changed, signal)
    }
  }

  override close(): void {
    this.#state.unread = true
    this.#state.chunks.length = 0
    this.#state.change()
  }
}

class PipeOutput implements Output {
  readonly #state: PipeState

  constructor(state: PipeState) {
    this.#state = state
  }

  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const state = this.#state
    if (state.unread) throw new BrokenPipe()
    if (bytes.length === 0) return
    for (let at = 0; ;) {
      while (state.length >= CAPACITY) {
        await unlessAborted(state.changed, signal)
        if (state.unread) throw new BrokenPipe()
      }
      if (at >= bytes.length) return
      const piece = bytes.slice(at, at + CAPACITY - state.length)
      at += piece.length
      state.chunks.push(piece)
      state.length += piece.length
      state.change()
    }
  }

  close(): void {
    this.#state.ended = true
    this.#state.change()
  }
}
