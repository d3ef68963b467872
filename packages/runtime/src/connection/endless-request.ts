import type { Socket } from 'node:net'
import { AnswerParser } from './answer-parser.ts'
import { cutOff } from './explain-failure.ts'
import { JoinedChunks } from './joined-chunks.ts'
import { nodeModules } from '../process/index.ts'
import type { Outgoing, RequestHead, RequestTaker } from './outgoing.ts'

/** Opens the connection that the request is sent on. */
type Connect = (receive: (bytes: Uint8Array) => boolean) => Promise<Socket>

/**
 * A request whose answer continues until either side ends it, on its own connection. The events of a watch arrive one
 * by one for minutes; Node's streams would be the largest part of their cost.
 */
export function endlessRequest(connect: Connect, head: RequestHead, taker: RequestTaker): Outgoing {
  const request = new EndlessRequest(headText(head), taker)
  void request.begin(connect)
  return request
}

class EndlessRequest implements Outgoing {
  readonly #head: string
  readonly #taker: RequestTaker
  readonly #parser: AnswerParser
  #socket: Socket | undefined
  #chunks: JoinedChunks | undefined
  #paused = false
  #destroyed = false

  constructor(head: string, taker: RequestTaker) {
    this.#head = head
    this.#taker = taker
    this.#parser = new AnswerParser({
      head: ({ status, headers }) => {
        this.#chunks = new JoinedChunks({
          pause: () => void (this.#paused = true),
          resume: () => this.#resume(),
          destroy: () => this.destroy(),
        })
        taker.answer({ status, headers, chunks: this.#chunks, isComplete: () => this.#parser.complete })
      },
      // The memory is the socket's, which uses it again.
      body: (bytes) => this.#chunks?.push(Buffer.from(bytes)),
      end: () => {
        this.#chunks?.finish()
        this.destroy()
      },
    })
  }

  async begin(connect: Connect): Promise<void> {
    try {
      const socket = await connect((bytes) => this.#receive(bytes))
      this.#socket = socket
      socket.on('error', (error) => this.#fail(error))
      socket.on('end', () => this.#guard(() => this.#parser.close()))
      socket.on('close', () => this.#fail(cutOff()))
      if (this.#destroyed) socket.destroy()
      else this.#send(socket)
    } catch (error) {
      this.#fail(error)
    }
  }

  destroy(error?: Error): void {
    this.#destroyed = true
    if (error) this.#fail(error)
    this.#socket?.destroy()
  }

  /** Sends nothing before the server's certificate is verified. */
  #send(socket: Socket): void {
    this.#taker.connecting(socket)
    const ready = 'encrypted' in socket ? 'secureConnect' : 'connect'
    if (socket.connecting || ready === 'secureConnect') socket.once(ready, () => socket.write(this.#head))
    else socket.write(this.#head)
  }

  /** Handles bytes, and returns whether the socket may send more. */
  #receive(bytes: Uint8Array): boolean {
    if (this.#destroyed) return false
    this.#guard(() => this.#parser.push(bytes))
    return !this.#paused
  }

  #resume(): void {
    this.#paused = false
    this.#socket?.resume()
  }

  #guard(call: () => void): void {
    try {
      call()
    } catch (error) {
      this.#fail(error)
      this.destroy()
    }
  }

  /** Fails the reader of the body; before the answer has begun, fails the request. */
  #fail(error: unknown): void {
    if (this.#chunks) this.#chunks.finish(error instanceof Error ? error : new Error(String(error)))
    else this.#taker.failed(error, false)
  }
}

/**
 * The text of a request's head. Throws where a part contains characters that would change its meaning, such as line
 * breaks.
 */
function headText({ path, host, headers }: RequestHead): string {
  if (!/^[\x21-\x7e]+$/.test(path)) {
    throw new TypeError(`the path ${JSON.stringify(path)} has characters that must be escaped`)
  }
  const lines = [`GET ${path} HTTP/1.1`, `host: ${host}`, 'connection: close']
  for (const [name, values] of Object.entries(headers)) {
    nodeModules.http.validateHeaderName(name)
    for (const value of [values].flat()) {
      nodeModules.http.validateHeaderValue(name, value)
      lines.push(`${name}: ${value}`)
    }
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
