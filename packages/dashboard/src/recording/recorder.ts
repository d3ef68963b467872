import type { Clock } from '@homeostat/api'
import { FORMAT, type Change, type Entry } from './entry.ts'
import { MomentState } from './moment-state.ts'
import type { RecordedStory } from './story.ts'

export interface RecorderOptions {
  readonly clock: Clock
  /** When the recording begins, in milliseconds since 1970. Default: now. */
  readonly from?: number | undefined
  /** How many entries are kept. Default: 20,000. */
  readonly limit?: number | undefined
  /** How many characters of JSON the entries may have together. Default: 32 million. */
  readonly maxCharacters?: number | undefined
  /**
   * The least time between two entries, in milliseconds. Under simulated time much happens at one moment, and a timeline
   * shows it one after the other. Default: entries have the time at which they happened.
   */
  readonly spacing?: number | undefined
}

/** An entry as the text that is sent. */
export interface SentEntry {
  readonly sequence: number
  readonly json: string
}

/** Called for each new entry, with its text and its value. */
export type EntryListener = (sent: SentEntry, entry: Entry) => void

/**
 * Keeps what happened, up to a limit: older entries become part of the moment with which the recording begins.
 * Listeners hear of entries in order, without gaps.
 */
export class Recorder {
  /** Identifies this recording, so that a reader of an earlier recording does not continue in this one. */
  readonly id: string
  readonly #clock: Clock
  readonly #limit: number
  readonly #maxCharacters: number
  readonly #spacing: number
  readonly #start: MomentState
  readonly #listeners = new Set<EntryListener>()
  #entries: SentEntry[] = []
  #characters = 0
  #sequence = 0
  #last = 0

  constructor({
    clock,
    from = clock.now(),
    limit = 20_000,
    maxCharacters = 32_000_000,
    spacing = 0,
  }: RecorderOptions) {
    this.#clock = clock
    this.id = `${Math.floor(clock.now())}-${String(clock.random()).slice(2)}`
    this.#limit = limit
    this.#maxCharacters = maxCharacters
    this.#spacing = spacing
    this.#start = new MomentState({ at: from, objects: [], queues: [], running: [] })
  }

  /** The number of the last entry. */
  get sequence(): number {
    return this.#sequence
  }

  /** Adds what happened, at this time if it was not now. */
  add(change: Change, time: number = this.#clock.now()): void {
    const sequence = ++this.#sequence
    const at = this.#spacing > 0 ? Math.max(time, this.#last + this.#gapBefore(change)) : time
    this.#last = at
    const entry: Entry = { ...change, sequence, at }
    const json = JSON.stringify(entry)
    const sent = { sequence, json }
    this.#entries.push(sent)
    this.#characters += json.length
    if (this.#entries.length > this.#limit || this.#characters > this.#maxCharacters) this.#shorten()
    for (const listener of this.#listeners) listener(sent, entry)
  }

  listen(listener: EntryListener): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) }
  }

  /** The entries after a number; nothing where some of them are gone, or the number is not one of this recorder's. */
  after(sequence: number): readonly SentEntry[] | undefined {
    const first = (this.#entries[0]?.sequence ?? this.#sequence + 1) - 1
    if (!Number.isInteger(sequence) || sequence < first || sequence > this.#sequence) return undefined
    return this.#entries.slice(sequence - first)
  }

  /** The whole recording, as JSON, with the story that it tells. */
  json(story?: RecordedStory): string {
    const start = JSON.stringify(this.#start.moment())
    const entries = this.#entries.map(({ json }) => json).join(',')
    const told = story ? `,"story":${JSON.stringify(story)}` : ''
    return `{"format":${JSON.stringify(FORMAT)},"start":${start},"entries":[${entries}]${told}}`
  }

  /** Queues change with what happens, and not by themselves. */
  #gapBefore({ type }: Change): number {
    return type === 'queue' ? 0 : this.#spacing
  }

  /** Moves the older part of the entries into the first moment. */
  #shorten(): void {
    let count = 0
    while (this.#entries.length - count > this.#limit * 0.9 || this.#characters > this.#maxCharacters * 0.9) {
      const entry = this.#entries[count]
      if (!entry) break
      this.#start.apply(JSON.parse(entry.json) as Entry)
      this.#characters -= entry.json.length
      count++
    }
    this.#entries = this.#entries.slice(count)
  }
}
