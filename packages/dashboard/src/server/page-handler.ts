import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@homeostat/api'
import type { Recorder } from '../recording/index.ts'
import { act, type OperatorCommand } from './actions.ts'
import { EventStream } from './event-stream.ts'
import { loadPageFiles, type PageFile } from './page-files.ts'
import { readBody } from './read-body.ts'
import { isRefusal, type Access, type Refusal, type Viewer } from './viewer.ts'

/** A page may load only files of this server: no inline script or style. No other page may frame it. */
const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** The recording that is shown, while it is shown. */
export interface RecordingSource {
  /** A viewer begins to read it. */
  opened(): Recorder
  /** A viewer has gone. */
  closed(): void
}

export interface PageHandlerOptions {
  readonly clock: Clock
  readonly source: RecordingSource
  readonly access: Access
  /** Carries out an action on the operator. Default: the page offers no actions. */
  readonly operator?: OperatorCommand | undefined
}

/** Answers the requests of the page. */
export class PageHandler implements Disposable {
  readonly #options: PageHandlerOptions
  readonly #streams = new Set<EventStream>()
  #files: Promise<ReadonlyMap<string, PageFile>> | undefined

  constructor(options: PageHandlerOptions) {
    this.#options = options
  }

  readonly answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(SECURITY)) response.setHeader(name, value)
    this.#route(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else end(response, 500, error instanceof Error ? error.message : 'the request failed')
    })
  };

  /** Ends all streams. Their viewers have gone when this returns, although connections may close later. */
  [Symbol.dispose](): void {
    for (const stream of this.#streams) {
      stream[Symbol.dispose]()
      this.#ended(stream)
    }
  }

  #ended(stream: EventStream): void {
    if (this.#streams.delete(stream)) this.#options.source.closed()
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { access } = this.#options
    const foreign = access.refuseForeign(request)
    if (foreign) return refuse(response, foreign)
    const url = new URL(request.url ?? '/', 'http://page')
    const { pathname } = url
    if (await access.enter(request, url, response)) return undefined
    const isStream = pathname === '/stream'
    const isRead = request.method === 'GET'
    if (access.hasPublicFiles && isRead && !isStream) return this.#file(pathname, response)
    const viewer = await access.viewerOf(request)
    if (isRefusal(viewer)) return refuse(response, viewer)
    if (request.method === 'POST') return this.#act(pathname, viewer, request, response)
    if (!isRead) return end(response, 405, 'Only GET and POST are allowed here.')
    return isStream ? this.#stream(viewer, request, response) : this.#file(pathname, response)
  }

  async #file(path: string, response: ServerResponse): Promise<void> {
    this.#files ??= loadPageFiles()
    const file = (await this.#files).get(path === '/' ? 'index.html' : path.slice(1))
    if (!file) return end(response, 404, 'There is no such page.')
    response.writeHead(200, { 'content-type': file.type, 'content-length': file.body.length }).end(file.body)
    return undefined
  }

  #stream(viewer: Viewer, request: IncomingMessage, response: ServerResponse): void {
    const { clock, source } = this.#options
    const stream = new EventStream(request, response, { recorder: source.opened(), clock, viewer })
    this.#streams.add(stream)
    response.on('close', () => this.#ended(stream))
  }

  async #act(
    path: string,
    viewer: Viewer,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const [, folder, name = ''] = path.split('/')
    if (folder !== 'actions') return end(response, 404, 'There is no such action.')
    const body = await readBody(request)
    if (body === undefined) return end(response, 413, 'The text is longer than 3 MB.')
    let given: unknown
    try {
      given = JSON.parse(body)
    } catch {
      return end(response, 400, 'The body is not JSON.')
    }
    const answer = await act(name, given, { viewer, operator: this.#options.operator })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    return undefined
  }
}

function refuse(response: ServerResponse, { status, message }: Refusal): void {
  end(response, status, message)
}

function end(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`)
}
