import { createWebSocketStream, type WebSocket } from 'ws'
import { HomeostatError } from '@homeostat/api'
import type { Intake, Outlet } from './spdy/intake.ts'

/** The format of a WebSocket's messages. */
export interface ChannelForm {
  /**
   * Whether messages are text: the channel's number as a digit, then the bytes in base64. If not, the number is one
   * byte, followed by the bytes.
   */
  readonly base64: boolean
  /** Whether a message can say that the client sends no more on a channel. */
  readonly closes: boolean
}

const CLOSE_CHANNEL = 255
const DIGIT_ZERO = 0x30
/** Larger writes are cut, so that channels take turns. */
const LONGEST_MESSAGE = 32_768
/** While more than this waits for the client to read, the writer waits too. */
const MOST_WAITING = 131_072

/** A WebSocket whose messages each belong to a numbered channel: their first byte says to which. */
export class ChannelSocket {
  readonly #socket: WebSocket
  readonly #form: ChannelForm
  readonly #intakes = new Map<number, Intake>()

  constructor(socket: WebSocket, form: ChannelForm) {
    this.#socket = socket
    this.#form = form
  }

  /** Passes the messages of a channel on to a sink. */
  receive(channel: number, intake: Intake): void {
    this.#intakes.set(channel, intake)
  }

  /** A stream whose data is sent on the channel. Its end cannot be sent. */
  outlet(channel: number): Outlet {
    let open = true
    return {
      write: (bytes) => (open ? this.#write(channel, bytes) : undefined),
      end: () => {
        open = false
      },
    }
  }

  /** Passes messages on, in order, until the client ends the connection. Messages on other channels are discarded. */
  async serve(): Promise<void> {
    const messages = createWebSocketStream(this.#socket, { readableObjectMode: true })
    // The reader of the socket also gets the error.
    messages.on('error', () => undefined)
    try {
      for await (const message of messages as AsyncIterable<Buffer | string>) {
        if (!(await this.#take(typeof message === 'string' ? Buffer.from(message) : message))) break
      }
    } finally {
      const gone = new HomeostatError('CONNECTION_CLOSED', 'the client closed the connection')
      for (const intake of this.#intakes.values()) intake.fail(gone)
    }
  }

  ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  /** Closes this side. Later messages of the client are discarded. */
  close(): void {
    for (const intake of this.#intakes.values()) intake.end()
    this.#socket.close(1000)
  }

  /** Whether the connection is open. */
  async #take(message: Buffer): Promise<boolean> {
    const first = message[0]
    if (first === undefined) return true
    if (this.#form.closes && first === CLOSE_CHANNEL) {
      const channel = message[1]
      if (message.length !== 2 || channel === undefined) return false
      this.#intakes.get(channel)?.end()
      return true
    }
    const channel = this.#form.base64 ? first - DIGIT_ZERO : first
    const data = message.subarray(1)
    await this.#intakes
      .get(channel)
      ?.write(this.#form.base64 ? Buffer.from(data.toString('latin1'), 'base64') : data)
    return true
  }

  async #write(channel: number, bytes: Uint8Array): Promise<void> {
    let from = 0
    // An empty message is sent too: it tells the client that the connection is open.
    do {
      const piece = bytes.subarray(from, from + LONGEST_MESSAGE)
      await this.#send(this.#message(channel, piece))
      from += LONGEST_MESSAGE
    } while (from < bytes.length)
  }

  #message(channel: number, piece: Uint8Array): Buffer | string {
    if (this.#form.base64) return `${channel}${Buffer.from(piece).toString('base64')}`
    const message = Buffer.allocUnsafe(piece.length + 1)
    message[0] = channel
    message.set(piece, 1)
    return message
  }

  /** Resolves when the connection accepts more, or has ended. */
  #send(message: Buffer | string): Promise<void> | undefined {
    if (this.#socket.readyState !== this.#socket.OPEN) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#socket.send(message, () => resolve())
    return this.#socket.bufferedAmount > MOST_WAITING ? promise : undefined
  }
}
