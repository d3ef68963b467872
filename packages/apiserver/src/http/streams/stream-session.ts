import type { Duplex } from 'node:stream'
import type { Clock } from '@homeostat/api'

/** Which container of which Pod a request is about. */
interface NamedContainer {
  readonly namespace: string
  readonly name: string
  readonly container: string
}

/** The streams of a command that the client asks for. With a terminal there is no separate `stderr`. */
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

/** A request that was allowed and can be met: all that is left is to speak the client's protocol. */
export type StreamSession =
  | {
      readonly kind: 'command'
      readonly request: AttachRequest
      readonly run: StreamedCommand
      /** What a failure to run it is called. */
      readonly failed: string
      readonly clock: Clock
    }
  | {
      readonly kind: 'ports'
      readonly request: PortForwardRequest
      /** The ports that the old protocol, which has no other place for them, is to open. */
      readonly ports: readonly number[]
      readonly connect: ConnectPort
      readonly clock: Clock
    }
  | {
      /** The connection goes on as it is to another server, which has agreed to the client's protocol. */
      readonly kind: 'tunnel'
      /** The headers of that server's answer. */
      readonly lines: readonly string[]
      readonly duplex: Duplex
      /** What that server has sent behind its answer. */
      readonly head: Uint8Array
    }
