import type { DeepReadonly } from '@homeostat/api'
import type { CoreV1 } from '@homeostat/api/kinds'
import type { OutputWriter } from '../../images/index.ts'
import type { Terminal } from '@homeostat/shell'
import type { ContainerLog } from '../logs/index.ts'
import { InputChannel } from './input-channel.ts'
import { TerminalSizes } from './terminal-sizes.ts'

/** The streams of a client that attaches to a container. */
export interface AttachOptions {
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  readonly terminal?: Terminal | undefined
  /** Ends the attachment, and nothing of the container. */
  readonly signal: AbortSignal
}

/**
 * Standard input, output and error of one run of a container. All output goes to its log and to every
 * attached client; an attached client that reads slowly holds the container back. There is input only if the
 * container has `stdin`. With `stdinOnce` the input ends with the first client that attaches.
 */
export class ContainerStreams {
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  readonly stdin: AsyncIterable<Uint8Array> | undefined
  readonly terminal: Terminal | undefined
  readonly #attached = new Set<AttachOptions>()
  readonly #input: InputChannel | undefined
  readonly #sizes: TerminalSizes | undefined
  readonly #once: boolean

  constructor(
    log: Pick<ContainerLog, 'writer'>,
    spec: DeepReadonly<Pick<CoreV1.Container, 'stdin' | 'stdinOnce' | 'tty'>>,
  ) {
    this.stdout = this.#writer(log.writer(), 'stdout')
    this.stderr = this.#writer(log.writer(), 'stderr')
    this.#input = spec.stdin ? new InputChannel() : undefined
    this.#sizes = spec.tty ? new TerminalSizes() : undefined
    this.#once = spec.stdinOnce === true
    this.stdin = this.#input
    this.terminal = this.#sizes && { sizes: this.#sizes }
  }

  /** Joins in, until the signal aborts or the streams end. */
  attach(options: AttachOptions): void {
    this.#attached.add(options)
    options.signal.addEventListener('abort', () => this.#attached.delete(options), { once: true })
    if (options.stdin && this.#input) void this.#feed(options.stdin, this.#input, options.signal)
    if (options.terminal && this.#sizes) void this.#resize(options.terminal, this.#sizes, options.signal)
  }

  /** The container is gone. */
  end(): void {
    this.#attached.clear()
    this.#input?.close()
    this.#sizes?.end()
  }

  #writer(log: OutputWriter, name: 'stdout' | 'stderr'): OutputWriter {
    const attached = this.#attached
    return {
      write(text) {
        log.write(text)
        for (const options of attached) options[name].write(text)
      },
      get ready() {
        const waits = [log.ready, ...[...attached].map((options) => options[name].ready)].filter(
          (wait) => wait !== undefined,
        )
        return waits.length === 0 ? undefined : Promise.all(waits).then(() => undefined)
      },
    }
  }

  async #feed(from: AsyncIterable<Uint8Array>, to: InputChannel, signal: AbortSignal): Promise<void> {
    try {
      for await (const chunk of from) {
        if (signal.aborted) break
        await to.write(chunk)
      }
    } catch {
      // The attached client is gone. The input of the container stays open for the next client.
    }
    if (this.#once) to.end()
  }

  async #resize({ sizes }: Terminal, to: TerminalSizes, signal: AbortSignal): Promise<void> {
    try {
      for await (const size of sizes) {
        if (signal.aborted) return
        to.set(size)
      }
    } catch {
      // As above.
    }
  }
}
