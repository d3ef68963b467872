import { HomeostatError, joinBytes } from '@homeostat/api'
import { FileError } from '../../files/index.ts'
import type { Descriptors } from '../../process/descriptors.ts'
import { openPath } from '../../process/devices.ts'
import { NoInput, type Input, type InputLine } from '../../process/input.ts'
import type { ShellProcess } from '../../process/process.ts'
import type { System } from '../../process/system.ts'
import { encodeText } from '../../text/text.ts'

/** How much output is buffered before it is written. */
const BUFFER = 16_384
/** How much one applet may hold in memory. */
const MOST_HELD = 32 * 1024 ** 2

/** How an applet starts another program. */
export interface Spawn {
  (
    argv: readonly [string, ...string[]],
    options?: {
      readonly env?: Readonly<Record<string, string>> | undefined
      readonly input?: Input | undefined
    },
  ): Promise<number>
}

/** The context of an applet: its arguments, its environment, its input and its outputs. */
export class AppletContext {
  readonly name: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The working directory. */
  readonly directory: string
  readonly system: System
  readonly process: ShellProcess
  readonly descriptors: Descriptors
  readonly spawn: Spawn
  /** The program of a name. */
  readonly find: (name: string) => string | undefined
  #waiting: Uint8Array[] = []
  #length = 0
  #held = 0

  constructor(options: {
    readonly name: string
    readonly args: readonly string[]
    readonly env: Readonly<Record<string, string>>
    readonly directory: string
    readonly system: System
    readonly process: ShellProcess
    readonly descriptors: Descriptors
    readonly spawn: Spawn
    readonly find: (name: string) => string | undefined
  }) {
    this.name = options.name
    this.args = options.args
    this.env = options.env
    this.directory = options.directory
    this.system = options.system
    this.process = options.process
    this.descriptors = options.descriptors
    this.spawn = options.spawn
    this.find = options.find
  }

  /** The process that started this one. */
  get parent(): number {
    return this.process.parent
  }

  get signal(): AbortSignal {
    return this.process.signal
  }

  get files(): System['files'] {
    return this.system.files
  }

  get stdin(): Input {
    return this.descriptors.get(0)?.input ?? new NoInput()
  }

  /** Writes to standard output, in larger pieces than it is called with. */
  async print(output: string | Uint8Array): Promise<void> {
    const bytes = typeof output === 'string' ? encodeText(output) : output
    this.#waiting.push(bytes)
    this.#length += bytes.length
    if (this.#length >= BUFFER) await this.flush()
    const rest = this.system.pace.step(this.process, 1 + (bytes.length >> 10))
    if (rest) await rest
  }

  /** Flushes the buffered output. */
  async flush(): Promise<void> {
    if (this.#length === 0) return
    const bytes = joinBytes(this.#waiting)
    this.#waiting = []
    this.#length = 0
    const output = this.descriptors.get(1)?.output
    if (!output) throw new AppletFailure('write error: Bad file descriptor')
    await output.write(bytes, this.signal)
  }

  /** Writes a message to standard error, with the applet's name before it. */
  async complain(message: string): Promise<void> {
    await this.flush()
    await this.descriptors.get(2)?.output?.write(encodeText(`${this.name}: ${message}\n`), this.signal)
  }

  /** Writes a line to standard error unchanged. */
  async note(text: string): Promise<void> {
    await this.flush()
    await this.descriptors.get(2)?.output?.write(encodeText(`${text}\n`), this.signal)
  }

  /** Counts bytes that the applet holds until its end; fails where the Pod holds too many. */
  hold(bytes: number): void {
    const { pod } = this.system
    if (this.#held + bytes > MOST_HELD || !pod.fits(bytes))
      throw new AppletFailure('too much to hold in memory')
    pod.allocate(bytes)
    this.#held += bytes
  }

  /** Frees the memory of the applet. */
  release(bytes = this.#held): void {
    this.system.pod.allocate(-bytes)
    this.#held -= bytes
  }

  /** Yields to other processes. */
  async step(cost = 1): Promise<void> {
    this.signal.throwIfAborted()
    const rest = this.system.pace.step(this.process, cost)
    if (rest) await rest
  }

  /** A path in the container, as seen from the working directory. */
  absolute(path: string): string {
    return path.startsWith('/') ? path : `${this.directory}/${path}`
  }

  /** Opens a file to read, or standard input for `-`; the caller disposes of it. */
  open(path: string): { readonly input: Input } & Disposable {
    if (path === '-') return { input: this.stdin, [Symbol.dispose]: () => undefined }
    if (path === '') throw new FileError('ENOENT', path)
    const { files, clock } = this.system
    const file = openPath(this.absolute(path), {}, { files, clock, descriptors: this.descriptors }).hold()
    return { input: file.input ?? new NoInput(), [Symbol.dispose]: () => file.release() }
  }

  /** Reads a file, or standard input for `-`, and closes it. */
  async reading<T>(path: string, work: (input: Input) => Promise<T>): Promise<T> {
    using file = this.open(path)
    return await work(file.input)
  }

  /** The lines of an input. Flushes the buffered output whenever no further line is available at once. */
  async *lines(input: Input): AsyncGenerator<InputLine> {
    for (;;) {
      await this.flush()
      const lines = await input.readLines(this.signal)
      if (!lines) return
      for (const line of lines) {
        const rest = this.system.pace.step(this.process, 1 + (line.bytes.length >> 10))
        if (rest) await rest
        yield line
      }
    }
  }
}

/** A program that the shell can run. It returns its exit code. */
export type Applet = (context: AppletContext) => Promise<number>

/** Ends an applet with a message and a code. */
export class AppletFailure extends HomeostatError {
  readonly status: number

  constructor(message: string, status = 1) {
    super('SHELL_APPLET', message)
    this.status = status
  }
}
