import type { Socket } from 'node:net'
import type { JoinedChunks } from './joined-chunks.ts'

/** What a request says before its body. */
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
  /** Whether all of it has come. */
  isComplete(): boolean
}

/** Is told what becomes of a request. */
export interface RequestTaker {
  /** The connection that it is sent on; it may be one that is still being made. */
  connecting(socket: Socket): void
  answer(answer: Answer): void
  /** There will be no answer. `stale` says that the connection had been used before, and was gone. */
  failed(error: unknown, stale: boolean): void
}

/** A request under way. */
export interface Outgoing {
  /** Ends it, because of an error where one is given. */
  destroy(error?: Error): void
}
