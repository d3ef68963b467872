import { checkOptionNames, HomeostatError, optionNames } from '@homeostat/api'
import type { ExternalEvent, Source, SourceContext } from './source.ts'

/** How a {@link Channel} keeps events. */
export interface ChannelOptions {
  /** How many events are kept until a controller listens. Default: 1024. */
  buffer?: number | undefined
}

/** Options of a sent value. */
export interface SendOptions {
  /** Why it is sent, as a cause of the reconcile. */
  note?: string | undefined
}

const CHANNEL_OPTIONS = optionNames<ChannelOptions>('Channel', { buffer: true })
const SEND_OPTIONS = optionNames<SendOptions>('channel.send', { note: true })

/**
 * Sends events from outside the cluster, such as a webhook's call or a message from a queue, to the controllers that
 * watch it. Each controller gets each event. Until the first one listens, the channel keeps the events.
 */
export class Channel<T> implements Source<ExternalEvent<T>> {
  readonly name: string
  readonly #buffer: number
  readonly #listeners = new Set<(event: ExternalEvent<T>) => void>()
  readonly #kept: ExternalEvent<T>[] = []

  constructor(name: string, options: ChannelOptions = {}) {
    checkOptionNames(options, CHANNEL_OPTIONS)
    this.name = `channel ${name}`
    this.#buffer = options.buffer ?? 1024
  }

  /** Throws a `HomeostatError` with code `CHANNEL_FULL` when no controller listens and the buffer is full. */
  send(value: T, options: SendOptions = {}): void {
    checkOptionNames(options, SEND_OPTIONS)
    const event = { value, note: options.note }
    for (const listener of this.#listeners) listener(event)
    if (this.#listeners.size > 0) return
    if (this.#kept.length >= this.#buffer) {
      throw new HomeostatError(
        'CHANNEL_FULL',
        `${this.name} already holds ${this.#buffer} events and no controller listens: start a manager with a controller that watches it, or give it a larger buffer`,
      )
    }
    this.#kept.push(event)
  }

  start({ signal }: SourceContext, emit: (event: ExternalEvent<T>) => void): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason)
    this.#listeners.add(emit)
    signal.addEventListener('abort', () => this.#listeners.delete(emit), { once: true })
    for (const event of this.#kept.splice(0)) emit(event)
    return Promise.resolve()
  }
}
