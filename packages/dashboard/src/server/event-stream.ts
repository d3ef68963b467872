import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Timer } from '@homeostat/api'
import type { Entry, ReadableRecording, Recorder, Recording, SentEntry } from '../recording/index.ts'
import type { Viewer } from './viewer.ts'

/** Entries that come within this time, in milliseconds, are sent together. */
const TOGETHER = 40
/** The same in a process that has other work to do than to show a page. */
const TOGETHER_IN_PRODUCTION = 250
/** How often a viewer's rights are asked for while something is sent, in milliseconds. The answers of the API server are kept longer than this. */
const ASK_AGAIN = 1000
/** The same while nothing happens. */
const REVIEW_INTERVAL = 10_000
/** A browser that is this many bytes behind is disconnected; it connects again and gets the whole recording. */
const MOST_WAITING = 64_000_000

/**
 * Sends a recording and then what happens, as server-sent events: `viewer` with who reads it, `recording` with all of it, then `entries`
 * with lists of entries. The id of an event is `<recorder>.<sequence>`, with which a browser goes on where it was cut off. A viewer who may
 * not read everything gets the part that they may read, and the whole recording again when that part has changed. The stream ends
 * when they may not use the page any more, also while nothing happens.
 */
export class EventStream implements Disposable {
  readonly #response: ServerResponse
  readonly #clock: Clock
  readonly #recorder: Recorder
  readonly #viewer: Viewer
  readonly #listening: Disposable
  #waiting: { readonly sent: SentEntry; readonly entry?: Entry }[] = []
  #askedAt = Number.NEGATIVE_INFINITY
  #timer: Timer | undefined
  #reviewTimer: Timer | undefined
  /** Ends when everything that was given so far is sent. */
  #sent: Promise<void> = Promise.resolve()
  /** The last entry that is part of the recording that was sent. */
  #inRecording = 0

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { recorder, clock, viewer }: { recorder: Recorder; clock: Clock; viewer: Viewer },
  ) {
    this.#response = response
    this.#clock = clock
    this.#recorder = recorder
    this.#viewer = viewer
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const { name, canWrite, readable, signedOut } = viewer
    response.write(`event: viewer\ndata: ${JSON.stringify({ name, canWrite })}\n\n`)
    const [lastRecorder, last] = String(request.headers['last-event-id'] ?? '').split('.')
    const missed = lastRecorder === recorder.id ? recorder.after(Number(last)) : undefined
    if (missed) this.#waiting = missed.map((sent) => ({ sent }))
    else if (readable) this.#whenAllowed(() => this.#sendReadable(readable))
    else this.#send('recording', recorder.sequence, recorder.json())
    this.#flush()
    this.#listening = recorder.listen((sent, entry) => this.#add(sent, entry))
    if (readable) this.#reviewLater()
    const cut = (): void => void response.destroy()
    signedOut?.addEventListener('abort', cut, { once: true })
    response.on('close', () => {
      signedOut?.removeEventListener('abort', cut)
      this[Symbol.dispose]()
    })
    // The viewer may have signed out while the API server was asked about them.
    if (signedOut?.aborted) cut()
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]()
    this.#timer?.cancel()
    this.#reviewTimer?.cancel()
    this.#response.end()
  }

  #add(sent: SentEntry, entry: Entry): void {
    const { readable } = this.#viewer
    // Only a stream that hides parts of entries needs their values.
    this.#waiting.push(readable ? { sent, entry } : { sent })
    this.#timer ??= this.#clock.schedule(readable ? TOGETHER_IN_PRODUCTION : TOGETHER, () => {
      this.#timer = undefined
      this.#flush()
    })
  }

  #flush(): void {
    const waiting = this.#waiting.splice(0)
    const last = waiting.at(-1)?.sent
    const { readable } = this.#viewer
    if (last && readable) this.#whenAllowed(() => this.#sendReadableEntries(readable, waiting))
    else if (last) this.#send('entries', last.sequence, `[${waiting.map(({ sent }) => sent.json).join(',')}]`)
    // A recording that was just written counts too: the limit is twice the length of the longest one.
    if (this.#response.writableLength > MOST_WAITING) this.#response.destroy()
  }

  /** Sends the part of the whole recording that the viewer may read now. */
  async #sendReadable(readable: ReadableRecording): Promise<void> {
    const { sequence } = this.#recorder
    const recording: Recording = JSON.parse(this.#recorder.json())
    const shown = await readable.recording(recording)
    this.#inRecording = sequence
    this.#send('recording', sequence, JSON.stringify(shown))
  }

  async #sendReadableEntries(
    readable: ReadableRecording,
    waiting: readonly { readonly sent: SentEntry; readonly entry?: Entry }[],
  ): Promise<void> {
    const texts = new Map<Entry, string>()
    for (const { sent, entry } of waiting) {
      if (sent.sequence <= this.#inRecording) continue
      const parsed: Entry = entry ?? JSON.parse(sent.json)
      texts.set(parsed, sent.json)
    }
    const shown = await readable.entries([...texts.keys()])
    if (readable.hasChanged) return this.#sendReadable(readable)
    const last = waiting.at(-1)?.sent.sequence
    if (last === undefined || shown.length === 0) return undefined
    this.#send(
      'entries',
      last,
      `[${shown.map((entry) => texts.get(entry) ?? JSON.stringify(entry)).join(',')}]`,
    )
    return undefined
  }

  /** Sends something after all before it. Ends the stream where the rights of the viewer are not known, or where they may see nothing any more. */
  #whenAllowed(send: () => Promise<void>): void {
    const whenSent = async (before: Promise<void>): Promise<void> => {
      await before
      try {
        await this.#askAgain()
        if (!this.#response.destroyed) await send()
      } catch {
        this.#response.destroy()
      }
    }
    this.#sent = whenSent(this.#sent)
  }

  #reviewLater(): void {
    this.#reviewTimer = this.#clock.schedule(REVIEW_INTERVAL, () => {
      this.#whenAllowed(async () => {})
      this.#reviewLater()
    })
  }

  /** Asks now and then whether the viewer may still use the page, and what they may read. */
  async #askAgain(): Promise<void> {
    const now = this.#clock.monotonic()
    if (now - this.#askedAt < ASK_AGAIN) return
    this.#askedAt = now
    this.#viewer.readable?.renew()
    if (!(await this.#viewer.isAllowed())) this.#response.destroy()
  }

  /** JSON has no line breaks outside of its strings, and none inside. */
  #send(event: string, sequence: number, json: string): void {
    this.#response.write(`event: ${event}\nid: ${this.#recorder.id}.${sequence}\ndata: ${json}\n\n`)
  }
}
