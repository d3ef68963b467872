import type { Clock } from '@homeostat/api'

/** Which container of which Pod a request is about. */
interface NamedContainer {
  readonly namespace: string
  readonly name: string
  readonly container: string
}

/** Which streams of a command are wanted. With a terminal there is no `stderr` of its own. */
export interface AttachRequest extends NamedContainer {
  readonly stdin: boolean
  readonly stdout: boolean
  readonly stderr: boolean
  readonly tty: boolean
}

/** Which Pod's ports are wanted. */
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
 * The streams of a command: those that were asked for. They hold what the other side does not take yet up to a bound, so
 * the writer waits for `ready`. The end of `stdin` is the end of the client's input. When the client goes, `signal`
 * aborts, `stdin` ends with an error, and what is written goes nowhere.
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
 * Runs a command, or joins one that runs, to its end, and resolves to its exit code when all of its output is written. A
 * rejection is told to the client as a failure; an `ApiFailure` in its own words.
 */
export type StreamedCommand = (streams: CommandStreams) => Promise<number>

/** Two ways of bytes to a port of a Pod. Closing `writable` leaves the way back open. */
export interface PortConnection {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
  /** Ends both ways at once. */
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
