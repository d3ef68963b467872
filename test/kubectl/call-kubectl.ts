import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDirectory } from '../kubernetes/binaries.ts'
import { kubectlVersion } from './goldens.ts'

/** A kubectl with the protocol that it is told to speak. */
export interface Caller {
  /** `1.32 over SPDY`. */
  readonly name: string
  readonly program: string
  readonly env: Readonly<Record<string, string>>
}

/** The result of a call. */
export interface Called {
  readonly code: number
  readonly out: string
  readonly errors: string
}

const SPDY = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }
const WEBSOCKET = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'true', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'true' }

/** Every kubectl that this machine has, each once for either protocol. */
export function callers(): Caller[] {
  const built = join(cacheDirectory(process.env), 'kubectl')
  const programs = ['kubectl', ...(existsSync(built) ? [built] : [])]
  return programs.flatMap((program) => {
    const version = kubectlVersion(program)
    if (version === undefined) return []
    return [
      { name: `${version} over WebSocket`, program, env: WEBSOCKET },
      { name: `${version} over SPDY`, program, env: SPDY },
    ]
  })
}

/** Starts a kubectl. */
export function startKubectl(
  caller: Caller,
  kubeconfig: string,
  args: readonly string[],
): ChildProcessWithoutNullStreams {
  return spawn(caller.program, args, { env: environment(caller, kubeconfig) })
}

/** Calls a kubectl to its end, with this as its input. */
export async function callKubectl(
  caller: Caller,
  kubeconfig: string,
  args: readonly string[],
  input: string | Buffer = '',
): Promise<Called> {
  const child = startKubectl(caller, kubeconfig, args)
  child.stdin.on('error', () => {}) // It may end without having read.
  child.stdin.end(input)
  const [out, errors] = [collect(child.stdout), collect(child.stderr)]
  const [code] = (await once(child, 'close')) as [number]
  return { code, out: out().toString('latin1'), errors: errors().toString() }
}

/** A kubectl on a terminal, and what its screen has shown so far. */
export class TerminalCall {
  readonly ended: Promise<number>
  readonly #child: ChildProcessWithoutNullStreams
  #screen = ''
  #wake: (() => void) | undefined

  constructor(caller: Caller, kubeconfig: string, args: readonly string[]) {
    const words = [caller.program, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
    // `script` gives what it runs a terminal; its own input need not be one.
    const line = `stty cols 101 rows 37; exec ${words.join(' ')}`
    this.#child = spawn('script', ['-qec', line, '/dev/null'], { env: environment(caller, kubeconfig) })
    this.#child.stdin.on('error', () => {})
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#screen += text
        this.#wake?.()
      })
    }
    this.ended = once(this.#child, 'close').then(([code]) => {
      this.#wake?.()
      return code as number
    })
  }

  get screen(): string {
    return this.#screen
  }

  type(text: string): void {
    this.#child.stdin.write(text)
  }

  /** Waits until the screen has shown this after what was waited for before. */
  async shows(text: string | RegExp): Promise<string> {
    let over = false
    void this.ended.then(() => (over = true))
    for (;;) {
      const found = typeof text === 'string' ? this.#screen.indexOf(text) : this.#screen.search(text)
      if (found >= 0) {
        const length = typeof text === 'string' ? text.length : (text.exec(this.#screen)?.[0].length ?? 0)
        const shown = this.#screen.slice(0, found + length)
        this.#screen = this.#screen.slice(found + length)
        return shown
      }
      if (over) throw new Error(`the terminal ended without ${String(text)}; it shows ${this.#screen}`)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

function environment(caller: Caller, kubeconfig: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: '/nonexistent',
    KUBECONFIG: kubeconfig,
    TERM: 'xterm',
    ...caller.env,
  }
}

function collect(stream: NodeJS.ReadableStream): () => Buffer {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks)
}
