import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import { OperatorTest } from '@homeostat/cluster/testing'
import {
  controller,
  createClient,
  customResourceDefinition,
  directTransport,
  Manager,
  silentLogger,
  SystemClock,
} from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { expect, onTestFinished, test } from 'vitest'
import { followOutput } from '../../../test/program-output.ts'
import { Greeting } from './greeting.ts'

const key = { namespace: 'default', name: 'hello' }
const late = { namespace: 'default', name: 'late' }

/** A printing house that answers when it is told to. */
async function openPrintingHouse() {
  const orders: string[] = []
  const waiting = Promise.withResolvers<ServerResponse>()
  const server = createServer(({ url = '' }, response) => {
    orders.push(url)
    waiting.resolve(response)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    orders,
    ordered: waiting.promise,
    answer: async () => void (await waiting.promise).setHeader('connection', 'close').end(),
  }
}

/** A server that listens, and a client of it. */
async function startServer() {
  const clock = new SystemClock()
  const server = await ApiServer.start()
  onTestFinished(() => server.close())
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
  const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
  await client.create(CustomResourceDefinition, customResourceDefinition(Greeting))
  return { client, kubeconfig }
}

test('SIGTERM in the middle of a reconcile lets it finish, starts no other, and ends the process with 0', async () => {
  const { client, kubeconfig } = await startServer()
  const house = await openPrintingHouse()
  const program = join(import.meta.dirname, 'stopping.ts')
  const child = spawn(process.execPath, ['--conditions=source', program], {
    env: { ...process.env, KUBECONFIG: kubeconfig, PRINTING_HOUSE: house.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const operator = { ...followOutput(child, 'the operator'), kill: () => child.kill('SIGTERM') }
  // #region sigterm
  await client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await house.ordered // The reconcile is in the middle of its work.
  operator.kill() // SIGTERM
  await operator.printed(/the manager stops/)
  await client.create(Greeting, { metadata: late, spec: { name: 'you' } })

  await house.answer()
  expect(await operator.exited).toBe(0)
  expect((await client.getOrThrow(Greeting, key)).status).toEqual({ text: 'printed' })
  expect(house.orders).toEqual(['/hello'])
  // #endregion
})

test('what does not end within 30 seconds is given up, and the manager says so', async () => {
  await using test = await OperatorTest.start({ kinds: [Greeting], controllers: [] })
  const { transport, clock } = test
  const endless = controller('endless')
    .for(Greeting)
    .reconcile((_, { clock }) => clock.sleep(3_600_000))
  const manager = new Manager({ transport, clock, logger: silentLogger }).add(endless)
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  running.catch(() => {})
  await test.client.create(Greeting, { metadata: key, spec: { name: 'world' } })
  await test.settle()
  let ended = false
  void running.catch(() => (ended = true))
  // #region limit
  stop.abort()
  await test.advance('29s')
  expect(ended).toBe(false)
  await test.advance('1s')
  await expect(running).rejects.toThrow('the reconcile of default/hello had not ended within 30s')
  // #endregion
})
