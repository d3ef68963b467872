import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Timer } from '@homeostat/api'
import type { Entry, Recorder, Recording, SentEntry } from '../recording/index.ts'
import type { Viewer } from './viewer.ts'

/** Entries that come within this time, in milliseconds, are sent together. */
const TOGETHER = 40
/** A browser that is this many bytes behind is disconnected; it connects again and gets the whole recording. */
const MOST_WAITING = 64_000_000

/**
 * Sends a recording and then what happens, as server-sent events: `viewer` with who reads it, `recording` with all of it, then `entries`
 * with lists of entries. The id of an event is `<recorder>.<sequence>`, with which a browser goes on where it was cut off. A viewer who may
 * not read everything gets the part that they may read, and nothing once they may not use the page any more.
 */
export class EventStream implements Disposable {
  readonly #response: ServerResponse
  readonly #clock: Clock
  readonly #recorder: Recorder
  readonly #viewer: Viewer
  readonly #listening: Disposable
  #waiting: SentEntry[] = []
  #timer: Timer | undefined
  /** Ends when everything that was given so far is sent. */
  #sent: Promise<void> = Promise.resolve()

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
    const { name, canWrite } = viewer
    response.write(`event: viewer\ndata: ${JSON.stringify({ name, canWrite })}\n\n`)
    const [lastRecorder, last] = String(request.headers['last-event-id'] ?? '').split('.')
    const missed = lastRecorder === recorder.id ? recorder.after(Number(last)) : undefined
    if (missed) this.#waiting = [...missed]
    else this.#sendRecording()
    this.#flush()
    this.#listening = recorder.listen((entry) => this.#add(entry))
    response.on('close', () => this[Symbol.dispose]())
  }

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]()
    this.#timer?.cancel()
    this.#response.end()
  }

  #add(entry: SentEntry): void {
    this.#waiting.push(entry)
    this.#timer ??= this.#clock.schedule(TOGETHER, () => {
      this.#timer = undefined
      this.#flush()
    })
  }

  #sendRecording(): void {
    const { sequence } = this.#recorder
    const json = this.#recorder.json()
    const { readable } = this.#viewer
    if (!readable) this.#send('recording', sequence, json)
    else
      this.#sendReadable('recording', sequence, async () => {
        const recording: Recording = JSON.parse(json)
        return readable.recording(recording)
      })
  }

  #flush(): void {
    const entries = this.#waiting.splice(0)
    const last = entries.at(-1)
    const { readable } = this.#viewer
    const json = (): string => `[${entries.map((entry) => entry.json).join(',')}]`
    if (last && !readable) this.#send('entries', last.sequence, json())
    if (last && readable)
      this.#sendReadable('entries', last.sequence, async () => {
        const all: Entry[] = JSON.parse(json())
        const shown = await readable.entries(all)
        return shown.length > 0 ? shown : undefined
      })
    // A recording that was just written counts too: the limit is twice the length of the longest one.
    if (this.#response.writableLength > MOST_WAITING) this.#response.destroy()
  }

  /** Sends the part that the viewer may read, in order. Ends the stream where that is not known, or where the viewer may read nothing any more. */
  #sendReadable(event: string, sequence: number, read: () => Promise<object | undefined>): void {
    const send = async (before: Promise<void>): Promise<void> => {
      await before
      try {
        if (!(await this.#viewer.isAllowed())) this.#response.destroy()
        const body = this.#response.destroyed ? undefined : await read()
        if (body) this.#send(event, sequence, JSON.stringify(body))
      } catch {
        this.#response.destroy()
      }
    }
    this.#sent = send(this.#sent)
  }

  /** JSON has no line breaks outside of its strings, and none inside. */
  #send(event: string, sequence: number, json: string): void {
    this.#response.write(`event: ${event}\nid: ${this.#recorder.id}.${sequence}\ndata: ${json}\n\n`)
  }
}
