import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { HomeostatError } from '@homeostat/api'

/** The oldest Go that builds this Kubernetes, as its go.mod says. */
const OLDEST = '1.26'

export interface RunOptions {
  /** Hears each line that Go writes about its progress. */
  readonly onLine?: ((line: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Runs the Go toolchain of the machine. What it needs of the network it gets as the machine is set up. */
export class Go {
  /** As it calls itself: `go1.26.8`. */
  readonly version: string

  private constructor(version: string) {
    this.version = version
  }

  /** Throws `GO_MISSING` or `GO_TOO_OLD` where this Kubernetes cannot be built. */
  static async find(): Promise<Go> {
    // Inside a module that wants a newer version, Go may fetch and use that one of its own accord.
    const directory = await mkdtemp(join(tmpdir(), 'homeostat-go-'))
    try {
      await writeFile(join(directory, 'go.mod'), `module build\n\ngo ${OLDEST}.0\n`)
      const version = (await run(['env', 'GOVERSION'], directory)).trim()
      if (!isAtLeast(version, OLDEST)) throw tooOld(version)
      return new Go(version)
    } catch (error) {
      if (error instanceof HomeostatError && error.code === 'GO_FAILED') throw tooOld('', error)
      throw error
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }

  /** Where Go keeps modules and what it has compiled. */
  async cacheDirectories(): Promise<string[]> {
    const output = await run(['env', 'GOMODCACHE', 'GOCACHE'], tmpdir())
    return output.split('\n').filter((line) => line !== '')
  }

  /** Runs Go in a folder and gives what it wrote. */
  run(args: readonly string[], directory: string, options?: RunOptions): Promise<string> {
    return run(args, directory, options)
  }
}

function tooOld(version: string, cause?: unknown): HomeostatError {
  return new HomeostatError(
    'GO_TOO_OLD',
    `Go ${OLDEST} or newer is needed to build this Kubernetes; ${version ? `this is ${version}` : 'the one here is older, or cannot get a newer one'}. ` +
      `Install a current Go (go.dev/dl, or your package manager), or point KUBEBUILDER_ASSETS at a folder with kube-apiserver and etcd.` +
      (cause instanceof Error ? `\n${cause.message}` : ''),
    { cause },
  )
}

function isAtLeast(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^\D+/, '').split('.').map(Number.parseFloat)
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

async function run(args: readonly string[], directory: string, options: RunOptions = {}): Promise<string> {
  const child = spawn('go', args, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that aborting it also reaches the compilers that Go started.
    detached: true,
    env: { ...process.env, GOFLAGS: '-mod=mod -buildvcs=false', GOWORK: 'off', CGO_ENABLED: '0' },
  })
  const ended = exitOf(child)
  const output: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
  const last: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    last.push(line)
    if (last.length > 15) last.shift()
    options.onLine?.(line)
  })
  const abort = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }
  options.signal?.addEventListener('abort', abort)
  const { code, signal } = await ended.finally(() => options.signal?.removeEventListener('abort', abort))
  options.signal?.throwIfAborted()
  if (code === 0) return Buffer.concat(output).toString()
  throw new HomeostatError(
    'GO_FAILED',
    `go ${args.slice(0, 2).join(' ')} ended ${signal ? `by ${signal}` : `with code ${code}`}${hint(last)}:\n${last.join('\n')}`,
  )
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    code: number | null
    signal: NodeJS.Signals | null
  }>()
  child.on('close', (code, signal) => resolve({ code, signal }))
  child.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') reject(error)
    reject(
      new HomeostatError(
        'GO_MISSING',
        `There is no Go on this machine: install Go ${OLDEST} or newer (go.dev/dl, or your package manager) to build Kubernetes, ` +
          `or point KUBEBUILDER_ASSETS at a folder that holds kube-apiserver and etcd.`,
      ),
    )
  })
  return promise
}

/** The cause of failures that come from the machine: a full disk, a network that is down. */
function hint(lines: readonly string[]): string {
  const text = lines.join('\n')
  if (/no space left on device/.test(text)) return ': the disk is full'
  if (
    /dial tcp|no such host|TLS handshake|i\/o timeout|connection refused|module lookup disabled/.test(text)
  ) {
    return ': modules could not be fetched; check the network and GOPROXY'
  }
  return ''
}
