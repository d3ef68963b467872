import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock, Timer } from '@homeostat/api'
import type { Recorder, SentEntry } from '../recording/index.ts'

/** Entries that come within this time, in milliseconds, are sent together. */
const TOGETHER = 40
/** A browser that lags behind by so many bytes is cut off; it connects again and gets the whole recording. */
const MOST_WAITING = 64_000_000

/**
 * Sends a recording and then what happens, as server-sent events: `recording` with all of it, then `entries` with lists of
 * entries. The id of an event is `<session>.<sequence>`, with which a browser goes on where it was cut off.
 */
export class EventStream implements Disposable {
  readonly #response: ServerResponse
  readonly #clock: Clock
  readonly #session: string
  readonly #listening: Disposable
  #waiting: SentEntry[] = []
  #timer: Timer | undefined

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { recorder, clock, session }: { recorder: Recorder; clock: Clock; session: string },
  ) {
    this.#response = response
    this.#clock = clock
    this.#session = session
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    const [lastSession, last] = String(request.headers['last-event-id'] ?? '').split('.')
    const missed = lastSession === session ? recorder.after(Number(last)) : undefined
    if (missed) this.#waiting = [...missed]
    else this.#send('recording', recorder.sequence, recorder.json())
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

  #flush(): void {
    const entries = this.#waiting.splice(0)
    const last = entries.at(-1)
    if (last) this.#send('entries', last.sequence, `[${entries.map(({ json }) => json).join(',')}]`)
    // Not what was just written, which is as long as the recording.
    if (this.#response.writableLength > MOST_WAITING) this.#response.destroy()
  }

  /** JSON has no line breaks outside of its strings, and none inside. */
  #send(event: string, sequence: number, json: string): void {
    this.#response.write(`event: ${event}\nid: ${this.#session}.${sequence}\ndata: ${json}\n\n`)
  }
}
