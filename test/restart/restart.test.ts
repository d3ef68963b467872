import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { SystemClock } from '@homeostat/api'
import { connect, createClient, loadConfig, type Client } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { followOutput, type ProgramOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')
const OPERATOR = join(import.meta.dirname, 'operator.ts')
const SERVER = join(root, 'packages/apiserver/bin/homeostat-apiserver.mjs')
const CLUSTER = join(root, 'packages/cluster/bin/homeostat-cluster.mjs')

interface Running extends ProgramOutput {
  readonly child: ChildProcessByStdio<null, Readable, Readable>
}

let folder: string
let running: Running[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-restart-'))
  running = []
})
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ exited }) => exited))
  rmSync(folder, { recursive: true, force: true })
})

function run(program: string, ...args: string[]): Running {
  const child = spawn(process.execPath, ['--conditions=source', program, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const started = { child, ...followOutput(child, program) }
  running.push(started)
  return started
}

async function greet(client: Client, name: string): Promise<void> {
  await client.create(ConfigMap, { metadata: { namespace: 'default', name }, data: { name } })
}

test.each([
  ['homeostat-apiserver', SERVER, '--secure-port=0', 'SIGTERM'],
  ['homeostat-apiserver', SERVER, '--secure-port=0', 'SIGKILL'],
  ['homeostat-cluster', CLUSTER, '--port=0', 'SIGTERM'],
] as const)(
  'an operator goes on over a restart of %s with the kubeconfig that it has',
  { timeout: 240_000 },
  async (_name, program, port, signal) => {
    const kubeconfig = join(folder, 'kubeconfig')
    const args = [port, '--data-dir=data', `--kubeconfig=${kubeconfig}`]
    const first = run(program, ...args)
    await first.printed(/KUBECONFIG/)
    const text = readFileSync(kubeconfig, 'utf8')
    const clock = new SystemClock()
    await using transport = connect(loadConfig({ kubeconfig }), { clock })
    const client = createClient({ transport, clock, fieldManager: 'test' })
    const operator = run(OPERATOR, kubeconfig)
    await greet(client, 'ann')
    await operator.printed(/Hello, ann/)
    first.child.kill(signal)
    await first.exited
    expect(existsSync(kubeconfig)).toBe(true)
    const second = run(program, ...args)
    await second.printed(/KUBECONFIG/)
    expect(readFileSync(kubeconfig, 'utf8')).toBe(text)
    await greet(client, 'bob')
    await operator.printed(/^Hello, ann\nHello, bob\n$/)
  },
)
