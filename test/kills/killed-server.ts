import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('kill-server.ts', import.meta.url))

/** The answer to a request; undefined when the connection broke before the answer was complete. */
export interface Answer {
  readonly code: number
  readonly body: any
}

/** A server process that is there to be killed, and a client of it. */
export class KilledServer {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>
  readonly #agent: Agent
  readonly #url: string
  readonly #token: string

  private constructor(child: ChildProcess, exit: Promise<unknown>, address: Record<string, string>) {
    this.#child = child
    this.#exit = exit
    this.#url = address['url'] ?? ''
    this.#token = address['token'] ?? ''
    this.#agent = new Agent({ keepAlive: true, maxSockets: 64, ca: address['certificateAuthority'] })
  }

  /** Starts it on a folder. With `killAfter` it is killed so many milliseconds later, ready or not, and none is there. */
  static async start(folder: string, killAfter?: number): Promise<KilledServer | undefined> {
    const child = spawn(process.execPath, ['--conditions=source', PROGRAM, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exit = once(child, 'close')
    if (killAfter !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, killAfter))
      child.kill('SIGKILL')
      await exit
      return undefined
    }
    const line = await Promise.race([firstLine(child), exit.then(() => undefined)])
    if (line === undefined) throw new Error('the server ended before it was ready: its output says why')
    return new KilledServer(child, exit, JSON.parse(line) as Record<string, string>)
  }

  /** Kills it, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exit
    this.#agent.destroy()
  }

  send(method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      const gone = (): void => resolve(undefined)
      const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const headers = { authorization: `Bearer ${this.#token}`, 'content-type': contentType }
      const asked = request(`${this.#url}${path}`, { method, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', gone)
        response.on('aborted', gone)
        response.on('end', () => {
          if (!response.complete) return gone()
          resolve({ code: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
        })
      })
      asked.on('error', gone)
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  /** Reads a watch to its end; only whole lines count. */
  watch(path: string, onEvent: (event: { type: string; object: any }) => void): Promise<void> {
    return new Promise((resolve) => {
      const options = { headers: { authorization: `Bearer ${this.#token}` }, agent: this.#agent }
      const asked = request(`${this.#url}${path}`, options, (response) => {
        let rest = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          const lines = (rest + text).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) onEvent(JSON.parse(line) as { type: string; object: any })
        })
        response.on('error', () => resolve())
        response.on('close', () => resolve())
      })
      asked.on('error', () => resolve())
      asked.end()
    })
  }
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  if (!child.stdout) return undefined
  for await (const line of createInterface({ input: child.stdout })) return line
  return undefined
}
