import type { Clock } from '@homeostat/api'
import type { ShellFiles } from '../files/index.ts'
import type { Connection } from './connection.ts'
import type { OutputWriter } from './output-writer.ts'

/** A person's terminal at the other end of standard input and output. */
export interface Terminal {
  /** The sizes that it has, the first one as soon as it is known. */
  readonly sizes: AsyncIterable<{ readonly width: number; readonly height: number }>
}

/** The environment of the shell or one of its commands. It has access to nothing else. */
export interface ShellRun {
  /**
   * Runs with the same name share their limits on processes and memory, and one share of CPU time, as the
   * containers of a Pod do. A run without a name has its own limits.
   */
  readonly limitGroup?: string | undefined
  /** The command with its arguments: `['sh', '-c', 'echo hello']`, `['ls', '/']`. */
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
  /** A path in the container. A path that does not exist becomes `/`. */
  readonly workingDirectory: string
  readonly files: ShellFiles
  /** Default: nothing to read. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  /** With a terminal, lines are edited and echoed here, and all output goes to `stdout`. */
  readonly terminal?: Terminal | undefined
  readonly hostname: string
  /** Opens a connection to a port of the cluster, by name or address. */
  connect(host: string, port: number): Promise<Connection>
  /** SIGTERM: ends the run with 143, unless the script traps or ignores it. */
  readonly signal: AbortSignal
  /** SIGKILL: ends the run at once with 137, whatever it traps. */
  readonly killed?: AbortSignal | undefined
  /**
   * Sends a signal to the container's first process, for `kill 1`, if this run is another process. Absent: the run
   * itself is the first process.
   */
  readonly init?: { kill(signal: number): void } | undefined
  readonly clock: Clock
}
