/** Where bytes that come over a connection go. */
export interface Intake {
  /** Takes bytes; a promise resolves when more may come. After the end it drops bytes, and never makes the writer wait. */
  write(bytes: Uint8Array): Promise<void> | undefined
  /** The other side sends no more. */
  end(): void
  /** No more will come, because the connection is lost. */
  fail(error: unknown): void
}

/** Where bytes go out into a connection. */
export interface Outlet {
  /** Resolves when the connection takes more. When it is lost, what is written goes nowhere. */
  write(bytes: Uint8Array): Promise<void> | undefined
  /** Tells the other side that no more comes. What is written then goes nowhere; ending twice does nothing. */
  end(): void
}

/** How much waits for a reader that is slower than the connection. */
const HIGH_WATER = 65_536

/** Bytes on their way in, as a stream. When more waits than fits, the writer has to wait too. */
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
