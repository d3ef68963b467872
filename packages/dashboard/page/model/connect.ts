import type { Entry, Recording } from '../../src/recording/entry.ts'
import type { RefusalReason } from '../../src/server/viewer.ts'
import type { Store, ViewerInfo } from './store.ts'
import { texts } from '../language/index.ts'

/** How long to wait before the server is tried again, in milliseconds. */
const WAIT = 1000

/** The connection that fills the store, as views use it. */
export interface LiveRecording {
  /** Shows what is live from now on. */
  open(): void
  close(): void
}

/** Follows the live recording, and connects again when the server went away. */
export class LiveConnection implements LiveRecording {
  readonly #store: Store
  #source: EventSource | undefined

  constructor(store: Store) {
    this.#store = store
  }

  /** Shows what is live from now on. */
  open(): void {
    this.close()
    const store = this.#store
    const source = new EventSource('/stream')
    this.#source = source
    const isCurrent = (): boolean => this.#source === source && store.file === undefined
    source.addEventListener('viewer', ({ data }: MessageEvent<string>) => {
      if (isCurrent()) store.viewer = JSON.parse(data) as ViewerInfo
    })
    source.addEventListener('recording', ({ data }: MessageEvent<string>) => {
      if (!isCurrent()) return
      const { selection, moment } = store
      store.open(JSON.parse(data) as Recording)
      store.selection = selection
      store.moment = moment
      this.#tell('open')
    })
    source.addEventListener('entries', ({ data }: MessageEvent<string>) => {
      if (isCurrent()) store.add(JSON.parse(data) as Entry[])
    })
    source.addEventListener('open', () => isCurrent() && this.#tell('open'))
    source.addEventListener('error', () => void this.#lost(source))
  }

  close(): void {
    this.#source?.close()
    this.#source = undefined
  }

  async #lost(source: EventSource): Promise<void> {
    if (this.#source !== source) return
    this.#tell('lost')
    // While it is connecting, the browser tries again by itself.
    if (source.readyState !== EventSource.CLOSED) return
    this.close()
    const answer = await fetch('/', { method: 'GET' }).catch(() => undefined)
    // Where users sign in, every browser gets the page itself, and not the stream.
    const stream = answer?.ok ? await probe() : undefined
    if (this.#source) return
    if (answer?.status === 401) this.#tell('refused')
    else if (stream === 401 || stream === 403) this.#tell('signed-out')
    else setTimeout(() => this.#source ?? this.open(), WAIT)
  }

  #tell(connection: Store['connection']): void {
    this.#store.connection = connection
    this.#store.tell()
  }
}

/** The status with which the server would answer the stream. */
async function probe(): Promise<number | undefined> {
  const stop = new AbortController()
  const answer = await fetch('/stream', { signal: stop.signal }).catch(() => undefined)
  stop.abort()
  return answer?.status
}

/** Signs in with a token of the API server. Throws an error that says why that is refused. */
export async function signIn(token: string): Promise<void> {
  const answer = await send('/sign-in', { token })
  if (!answer.ok) throw new Error(refusalText(await answer.text()))
}

export async function signOut(): Promise<void> {
  await send('/sign-out', {})
}

function send(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(texts().unreachable)
  })
}

/** Asks the server to change something. Throws an error with the server's words. */
export async function ask<T>(action: string, body: object): Promise<T> {
  const answer = await send(`/actions/${action}`, body)
  if (answer.ok) return (await answer.json()) as T
  const text = await answer.text()
  throw new Error(messageIn(text))
}

/** Why a user may not sign in, in the language of the page. Other refusals keep the server's words. */
function refusalText(text: string): string {
  const t = texts()
  const reason = reasonIn(text)
  switch (reason?.type) {
    case 'unknown-token':
      return t.unknownToken
    case 'not-allowed':
      return t.mayNotSee(reason.user)
    case 'no-answer':
      return t.cannotAsk
    case undefined:
      return messageIn(text).trim()
  }
}

function reasonIn(text: string): RefusalReason | undefined {
  try {
    return (JSON.parse(text) as { reason?: RefusalReason }).reason
  } catch {
    return undefined
  }
}

function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message
  } catch {
    return text
  }
}
