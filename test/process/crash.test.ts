import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, directTransport, SystemClock } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { afterEach, beforeEach, expect, test } from 'vitest'

const program = fileURLToPath(new URL('crashing-operator.ts', import.meta.url))
const clock = new SystemClock()
let server: ApiServer
let folder: string
let kubeconfig: string

beforeEach(async () => {
  server = await ApiServer.start()
  folder = await mkdtemp(join(tmpdir(), 'homeostat-crash-'))
  kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, (await server.listen()).kubeconfig())
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Starts the operator, which waits for so many milliseconds after each of its writes. */
function start(pause: number): ChildProcess {
  return spawn(process.execPath, ['--conditions=source', program, kubeconfig, String(pause)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Resolves when the operator has written a line. */
async function wrote(operator: ChildProcess, line: string): Promise<void> {
  let output = ''
  for await (const chunk of operator.stdout!) {
    output += String(chunk)
    if (output.includes(`${line}\n`)) return
  }
  throw new Error(`the operator ended before it wrote ${line}: it wrote ${JSON.stringify(output)}`)
}

test('an operator that is killed in the middle of a reconcile is carried on by the next one', async () => {
  const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
  const at = (name: string) => ({ namespace: 'default', name })
  await client.create(ConfigMap, { metadata: at('source'), data: { text: 'a' } })
  const first = start(60_000)
  await wrote(first, 'first')
  first.kill('SIGKILL')
  await once(first, 'exit')
  expect(await client.get(ConfigMap, at('second'))).toBeUndefined()
  await client.patch(ConfigMap, at('source'), { type: 'merge', body: { data: { text: 'b' } } })
  const second = start(0)
  await wrote(second, 'third')
  second.kill('SIGTERM')
  const [code] = await once(second, 'exit')
  expect(code).toBe(0)
  for (const part of ['first', 'second', 'third']) {
    expect((await client.getOrThrow(ConfigMap, at(part))).data).toEqual({ text: 'b' })
  }
})
