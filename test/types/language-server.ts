import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = resolve(import.meta.dirname, '../..')

interface Message {
  readonly id?: number | undefined
  readonly method?: string | undefined
  readonly result?: unknown
  readonly error?: { readonly message: string } | undefined
}

/** The compiler as editors talk to it: the Language Server Protocol over the streams of a process. */
export class LanguageServer implements AsyncDisposable {
  readonly #process: ChildProcess
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #received = Buffer.alloc(0)
  #last = 0

  private constructor() {
    this.#process = spawn(join(root, 'node_modules/.bin/tsc'), ['--lsp', '-stdio'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#process.stdout!.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#process.on('exit', (code) => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Error(`tsc ended with ${code}`))
    })
  }

  static async start(): Promise<LanguageServer> {
    const server = new LanguageServer()
    const rootUri = pathToFileURL(root).href
    const hover = { contentFormat: ['markdown'] }
    const capabilities = { textDocument: { hover } }
    await server.#request('initialize', { processId: process.pid, rootUri, capabilities })
    server.#send({ method: 'initialized', params: {} })
    return server
  }

  open(file: string): void {
    const text = readFileSync(file, 'utf8')
    const textDocument = { uri: pathToFileURL(file).href, languageId: 'typescript', version: 1, text }
    this.#send({ method: 'textDocument/didOpen', params: { textDocument } })
  }

  /** The text that an editor shows at a place, counted from 0: the type, then the comment. */
  async hover(file: string, line: number, character: number): Promise<string> {
    const answer = (await this.#request('textDocument/hover', {
      textDocument: { uri: pathToFileURL(file).href },
      position: { line, character },
    })) as { contents: { value: string } } | null
    return answer?.contents.value ?? ''
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((end) => this.#process.once('exit', end))
    await this.#request('shutdown', undefined)
    this.#waiting.clear()
    this.#send({ method: 'exit' })
    await ended
  }

  #request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#last
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.set(id, answer)
    this.#send({ id, method, params })
    return answer.promise
  }

  #send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    this.#process.stdin!.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = Number(/Content-Length: (\d+)/i.exec(this.#received.toString('utf8', 0, end))?.[1])
      if (this.#received.length < end + 4 + length) return
      const text = this.#received.toString('utf8', end + 4, end + 4 + length)
      this.#received = this.#received.subarray(end + 4 + length)
      this.#answered(JSON.parse(text) as Message)
    }
  }

  #answered({ id, method, result, error }: Message): void {
    if (id === undefined) return
    // The server asks too, for settings and to register what it watches: there are none.
    if (method !== undefined)
      return this.#send({ id, result: method === 'workspace/configuration' ? [null] : null })
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error) waiting?.reject(new Error(error.message))
    else waiting?.resolve(result)
  }
}
