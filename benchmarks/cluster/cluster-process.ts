import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createClient,
  loadConfig,
  networkTransport,
  SystemClock,
  type Client,
  type Transport,
} from 'homeostat'

const CONFIG = join(import.meta.dirname, 'images.ts')

/** A cluster as a process of its own, as a person starts it. */
export interface ClusterProcess extends AsyncDisposable {
  readonly pid: number
  /** From before the process was started until it said that it is ready, in milliseconds. */
  readonly readyAfter: number
  /** The file by which another process finds it. */
  readonly kubeconfig: string
  readonly client: Client
  readonly transport: Transport
  /** Ends it as Ctrl-C does; gives the exit code. */
  stop(): Promise<number | null>
}

/** Starts one with the benchmark's images, and everything of it in a folder that goes with it. */
export async function startCluster(program: string, signal: AbortSignal): Promise<ClusterProcess> {
  signal.throwIfAborted()
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-bench-cluster-'))
  const kubeconfig = join(folder, 'kubeconfig')
  const args = [program, '--quiet', '--port=0', `--config=${CONFIG}`, `--kubeconfig=${kubeconfig}`]
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const end = (): Promise<number | null> => {
    child.kill('SIGINT')
    return exited
  }
  signal.addEventListener('abort', () => void end(), { once: true })
  await Promise.race([
    said(child, 'KUBECONFIG'),
    exited.then(() => Promise.reject(new Error('the cluster ended'))),
  ])
  const readyAfter = performance.now() - started
  const clock = new SystemClock()
  const transport = networkTransport(loadConfig({ kubeconfig }), { clock })
  const stop = async (): Promise<number | null> => {
    await transport.close()
    const code = await end()
    rmSync(folder, { recursive: true, force: true })
    return code
  }
  return {
    pid: child.pid ?? -1,
    readyAfter,
    kubeconfig,
    transport,
    client: createClient({ transport, clock, fieldManager: 'benchmark' }),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}

function said(child: ChildProcess, text: string): Promise<void> {
  let output = ''
  return new Promise((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      if (output.includes(text)) resolve()
    })
  })
}
