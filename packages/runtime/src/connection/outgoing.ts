import type { Socket } from 'node:net'
import type { JoinedChunks } from './joined-chunks.ts'

/** The head of a request. */
export interface RequestHead {
  readonly path: string
  /** The server's name and port, as in its address. */
  readonly host: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}

/** An answer that has begun. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: JoinedChunks
  /** Whether the whole answer was received. */
  isComplete(): boolean
}

/** Gets the progress of a request. */
export interface RequestTaker {
  /** The connection that the request is sent on; it may not be open yet. */
  connecting(socket: Socket): void
  answer(answer: Answer): void
  /**
   * The request failed without an answer. `stale` says that it was sent on an idle connection that the server had
   * closed.
   */
  failed(error: unknown, stale: boolean): void
}

/** A request under way. */
export interface Outgoing {
  /** Ends the request, with an error where one is given. */
  destroy(error?: Error): void
}
