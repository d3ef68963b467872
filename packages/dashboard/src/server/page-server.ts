import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@homeostat/api'
import type { Recorder } from '../recording/index.ts'
import { PageAccess, type Refusal } from './access.ts'
import { act, type ActionTargets } from './actions.ts'
import { EventStream } from './event-stream.ts'
import { loadPageFiles, type PageFile } from './page-files.ts'

/** How many bytes an action may send: as much as an API server takes. */
const MOST_BYTES = 3 * 1024 * 1024

/** Nothing but what this server serves: no inline script or style, no frame around it. */
const SECURITY = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

export interface PageServerOptions {
  readonly clock: Clock
  readonly recorder: Recorder
  readonly targets: ActionTargets
  /** Default: any that is free. */
  readonly port?: number | undefined
}

/** Serves the page on loopback. */
export class PageServer implements AsyncDisposable {
  readonly #options: PageServerOptions
  readonly #server: Server
  readonly #access: PageAccess
  readonly #port: number
  readonly #session = randomBytes(12).toString('hex')
  readonly #streams = new Set<EventStream>()
  #files: Promise<ReadonlyMap<string, PageFile>> | undefined

  private constructor(options: PageServerOptions, server: Server) {
    this.#options = options
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
    this.#access = new PageAccess(this.#port)
    server.on('request', (request, response) => void this.#answer(request, response))
  }

  static async start(options: PageServerOptions): Promise<PageServer> {
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(options.port ?? 0, '127.0.0.1', resolve)
    })
    // It serves while the program has something else to do.
    server.unref()
    return new PageServer(options, server)
  }

  /** What to open in a browser. Who has it may use the page. */
  get address(): string {
    return this.#addressWith(this.#access.token)
  }

  /** An address that works once. */
  singleAddress(): string {
    return this.#addressWith(this.#access.singleToken())
  }

  #addressWith(token: string): string {
    return `http://127.0.0.1:${this.#port}/?token=${token}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.#streams) stream[Symbol.dispose]()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY)) response.setHeader(name, value)
    try {
      await this.#route(request, response)
    } catch (error) {
      if (response.headersSent) response.destroy()
      else end(response, 500, error instanceof Error ? error.message : 'the request failed')
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = this.#access.refuseForeign(request)
    if (foreign) return refuse(response, foreign)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const cookie = this.#access.cookieFor(searchParams.get('token'))
    if (request.method === 'GET' && pathname === '/' && cookie !== undefined) {
      // Not a redirect: a browser that was sent here by another site would not show the cookie to it.
      response.setHeader('set-cookie', cookie).setHeader('refresh', '0; url=/')
      return end(response, 200, 'Opening the page.')
    }
    const unknown = this.#access.refuseUnknown(request)
    if (unknown) return refuse(response, unknown)
    if (request.method === 'POST') return this.#act(pathname, request, response)
    if (request.method !== 'GET') return end(response, 405, 'Only GET and POST are allowed here.')
    if (pathname === '/stream') return this.#stream(request, response)
    return this.#file(pathname === '/' ? 'index.html' : pathname.slice(1), response)
  }

  async #file(name: string, response: ServerResponse): Promise<void> {
    this.#files ??= loadPageFiles()
    const file = (await this.#files).get(name)
    if (!file) return end(response, 404, 'There is no such page.')
    response.writeHead(200, { 'content-type': file.type, 'content-length': file.body.length }).end(file.body)
    return undefined
  }

  #stream(request: IncomingMessage, response: ServerResponse): void {
    const stream = new EventStream(request, response, { ...this.#options, session: this.#session })
    this.#streams.add(stream)
    response.on('close', () => this.#streams.delete(stream))
  }

  async #act(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    const answer = await act(name, given, this.#options.targets)
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

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // The rest is read all the same: a client that is cut off while it sends does not read the answer.
    if (length <= MOST_BYTES) chunks.push(chunk)
  }
  if (length > MOST_BYTES) return undefined
  return Buffer.concat(chunks).toString('utf8')
}
