import type { Duplex } from 'node:stream'
import type { Clock } from '@homeostat/api'

/** The container of a request. */
interface NamedContainer {
  readonly namespace: string
  readonly name: string
  readonly container: string
}

/** The streams that the client requests for a command. With a terminal there is no separate `stderr`. */
export interface AttachRequest extends NamedContainer {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}

/** The Pod whose ports the client asks for. */
export interface PortForwardRequest {
  readonly namespace: string
  readonly name: string
}

/** How large a terminal is, in characters. */
export interface TerminalSize {
  readonly width: number
  readonly height: number
}

/**
 * The streams of a command that the client asked for. They buffer a limited amount that the other side has not read
 * yet, so the writer waits for `ready`. The end of `stdin` is the end of the client's input. When the client
 * disconnects, `signal` aborts, `stdin` ends with an error, and further output is discarded.
 */
export interface CommandStreams {
  readonly stdin?: ReadableStream<Uint8Array> | undefined
  readonly stdout?: WritableStream<Uint8Array> | undefined
  readonly stderr?: WritableStream<Uint8Array> | undefined
  /** The terminal's size, now and whenever it changes; only where there is a terminal. */
  readonly sizes?: ReadableStream<TerminalSize> | undefined
  readonly signal: AbortSignal
}

/**
 * Runs a command, or attaches to a running one, until it ends, and resolves to its exit code when all of its output
 * is written. A rejection is reported to the client as a failure; an `ApiFailure` with its own message.
 */
export type StreamedCommand = (streams: CommandStreams) => Promise<number>

/** A connection to a port of a Pod. Closing `writable` leaves `readable` open. */
export interface PortConnection {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
  /** Closes both directions at once. */
  close(): void
}

/** Connects to a port of a Pod; rejects when nothing listens there. */
export type ConnectPort = (port: number, signal: AbortSignal) => Promise<PortConnection>

/** An accepted request, before the client's protocol is chosen. */
export type StreamSession =
  | {
      readonly kind: 'command'
      readonly request: AttachRequest
      readonly run: StreamedCommand
      /** The message for a failure to run it. */
      readonly failed: string
      readonly clock: Clock
    }
  | {
      readonly kind: 'ports'
      readonly request: PortForwardRequest
      /** The ports in the query, for the old protocol. */
      readonly ports: readonly number[]
      readonly connect: ConnectPort
      readonly clock: Clock
    }
  | {
      /** A connection that is passed on to another server, which has accepted the client's upgrade. */
      readonly kind: 'tunnel'
      /** The headers of that server's answer. */
      readonly lines: readonly string[]
      readonly duplex: Duplex
      /** The bytes that followed that server's answer. */
      readonly head: Uint8Array
    }
