import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ApiServer } from '@homeostat/apiserver'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { build, cacheFolder } from '../../benchmarks/runtime/builds.ts'

/** The checks of the program in `go/`, in its words. */
const CHECKS = [
  'native kinds are created, read, updated, patched and deleted',
  'a definition of a kind is created, and objects of the kind',
  'the subresources of Pods and workloads take what the client sends',
  'reviews and tokens are answered',
  'a cache follows the server',
  'a cache follows metadata alone',
  'a field is applied and conflicts are told',
  'leadership passes to the next when the first one leaves',
  "a manager's controller makes what is missing",
  'native objects went to and fro in protobuf',
]

const program = join(cacheFolder('go-client'), 'client')
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-go-client-'))
  const source = join(import.meta.dirname, 'go')
  await build(
    {
      peer: 'go-client',
      toolchain: { program: 'go', from: 'https://go.dev/dl' },
      sources: [source],
      result: program,
      steps: [{ file: 'go', args: ['build', '-o', program, '.'], cwd: source }],
    },
    AbortSignal.timeout(1_800_000),
  )
}, 1_800_000)
afterAll(() => rmSync(folder, { recursive: true }))

describe("Go's controller-runtime, its client in protobuf, uses", { timeout: 1_800_000 }, () => {
  test('our API server through its port', async () => {
    await using server = await ApiServer.start()
    await using port = await server.listen()
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
    expect(await report(kubeconfig)).toEqual(CHECKS.map((check) => ({ check })))
  })

  test('the real one, so that it is the program that is right', async () => {
    expect(await report(inject('kubernetes').kubeconfig)).toEqual(CHECKS.map((check) => ({ check })))
  })
})

/** Runs the program on a server and gives what it says about each check. */
async function report(kubeconfig: string): Promise<unknown[]> {
  const child = spawn(program, [], {
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const lines: unknown[] = []
    for await (const line of createInterface({ input: child.stdout })) lines.push(JSON.parse(line))
    return lines
  } finally {
    child.kill()
  }
}
