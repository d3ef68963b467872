/** A sink for bytes that arrive over a connection. */
export interface Intake {
  /**
   * Accepts bytes. A returned promise resolves when it accepts more. After the end it discards bytes and never makes
   * the writer wait.
   */
  write(bytes: Uint8Array): Promise<void> | undefined
  /** The other side sends no more. */
  end(): void
  /** The connection is lost. */
  fail(error: unknown): void
}

/** A source of bytes for a connection. */
export interface Outlet {
  /** Resolves when the connection accepts more. After it is lost, bytes are discarded. */
  write(bytes: Uint8Array): Promise<void> | undefined
  /** Ends this direction. Later bytes are discarded; ending twice has no effect. */
  end(): void
}

/** The size of the buffer for a reader that is slower than the connection. */
const HIGH_WATER = 65_536

/** Incoming bytes as a stream. When the buffer is full, the writer waits. */
export class Inlet implements Intake {
  readonly readable: ReadableStream<Uint8Array>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #open = true
  #room: PromiseWithResolvers<void> | undefined

  constructor() {
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#makeRoom(),
        cancel: () => {
          this.#open = false
          this.#makeRoom()
        },
      },
      { highWaterMark: HIGH_WATER, size: (chunk) => chunk?.byteLength ?? 0 },
    )
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    if (!this.#open || bytes.length === 0) return undefined
    this.#controller.enqueue(bytes)
    if ((this.#controller.desiredSize ?? 0) > 0) return undefined
    this.#room ??= Promise.withResolvers<void>()
    return this.#room.promise
  }

  end(): void {
    if (!this.#open) return
    this.#open = false
    this.#controller.close()
    this.#makeRoom()
  }

  fail(error: unknown): void {
    if (!this.#open) return
    this.#open = false
    this.#controller.error(error)
    this.#makeRoom()
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}

/** A stream that writes into an outlet. Closing it ends the outlet. */
export function writableOf(outlet: Outlet): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>(
    {
      write: (chunk) => outlet.write(chunk),
      close: () => outlet.end(),
      abort: () => outlet.end(),
    },
    { highWaterMark: 65_536, size: (chunk) => chunk?.byteLength ?? 0 },
  )
}
