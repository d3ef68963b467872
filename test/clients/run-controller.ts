import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findBinaries } from '../kubernetes/binaries.ts'
import type { ThirdPartyController } from './controllers.ts'

const run = promisify(execFile)

/** kubectl on one server, in the scenario's namespace. */
export class Kubectl {
  readonly #kubeconfig: string
  /** The server. No kubelet runs its Pods: the scenario sets their status. */
  readonly server: 'ours' | 'real'

  constructor(kubeconfig: string, server: 'ours' | 'real') {
    this.#kubeconfig = kubeconfig
    this.server = server
  }

  get kubeconfig(): string {
    return this.#kubeconfig
  }

  async run(...args: string[]): Promise<string> {
    return this.#call(args, '')
  }

  async apply(...objects: object[]): Promise<void> {
    await this.#call(
      ['apply', '--filename=-'],
      objects.map((object) => JSON.stringify(object)).join('\n---\n'),
    )
  }

  async get<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.run('get', ...args, '--output', 'json')) as T
  }

  /** Waits until a path of an object has a value. */
  async until(object: string, path: string, value: string): Promise<void> {
    await this.run('wait', object, `--for=jsonpath={${path}}=${value}`, '--timeout=180s')
  }

  async #call(args: readonly string[], input: string): Promise<string> {
    const program = join(findBinaries().directory, 'kubectl')
    const calling = run(program, ['--kubeconfig', this.#kubeconfig, '--namespace', 'third-party', ...args])
    calling.child.stdin?.end(input)
    return (await calling).stdout
  }
}

/** Runs the scenario while the controller runs, and takes away what both have made. */
export async function underController(
  { definitions, program }: ThirdPartyController,
  kubectl: Kubectl,
  scenario: (kubectl: Kubectl) => Promise<unknown>,
): Promise<unknown> {
  const files = definitions.flatMap((file) => ['--filename', file])
  await kubectl.run('create', 'namespace', 'third-party')
  await kubectl.run('apply', '--server-side', ...files)
  await kubectl.run('wait', ...files, '--for=condition=Established', '--timeout=60s')
  const child = spawn(program.file, program.args(kubectl.kubeconfig), {
    env: { ...process.env, KUBECONFIG: kubectl.kubeconfig },
    stdio: 'pipe',
  })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  try {
    return await scenario(kubectl)
  } catch (error) {
    throw new Error(`the scenario failed; the controller said:\n${output.slice(-8_000)}`, { cause: error })
  } finally {
    child.kill()
    await ended
    await kubectl.run('delete', ...files, '--wait=false')
    await kubectl.run('delete', 'namespace', 'third-party', '--timeout=120s')
  }
}

/** Says of every Pod on a real server that it runs and is ready, as a kubelet does. Our cluster has kubelets. */
export function runPods(kubectl: Kubectl): AsyncDisposable {
  if (kubectl.server === 'ours') return { [Symbol.asyncDispose]: async () => {} }
  const end = new AbortController()
  const status = JSON.stringify({
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    },
  })
  const running = (async () => {
    while (!end.signal.aborted) {
      const names = await kubectl.run('get', 'pods', '--field-selector=status.phase=Pending', '--output=name')
      for (const name of names.split('\n').filter(Boolean)) {
        await kubectl.run('patch', name, '--subresource=status', '--patch', status).catch(() => '')
      }
    }
  })()
  return {
    [Symbol.asyncDispose]: async () => {
      end.abort()
      await running
    },
  }
}
