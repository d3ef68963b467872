import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock, type ApiRequest } from '@homeostat/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PreparedConnection } from './prepared-connection.ts'

const cleanUp: (() => unknown)[] = []
let kubeconfig: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-prepared-'))
  cleanUp.push(() => rmSync(folder, { recursive: true }))
  kubeconfig = join(folder, 'kubeconfig')
})
afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each()
})

const request: ApiRequest = { method: 'GET', path: '/api', query: new URLSearchParams(), headers: {} }

/** A server that counts its connections, and records their requests. */
async function startServer() {
  const seen = { connections: 0, paths: [] as string[], port: 0 }
  const server = createServer((incoming, outgoing) => {
    seen.paths.push(incoming.url ?? '')
    outgoing.setHeader('content-type', 'application/json').end('{}')
  })
  server.on('connection', () => seen.connections++)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  cleanUp.push(() => server.close())
  seen.port = (server.address() as AddressInfo).port
  return seen
}

function choose(port: number): void {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'here', user: 'me' } }],
    clusters: [{ name: 'here', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'me', user: {} }],
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
}

async function prepare(): Promise<PreparedConnection> {
  const prepared = new PreparedConnection(new SystemClock())
  await prepared.prepare({ kubeconfig, context: undefined })
  return prepared
}

async function ask(prepared: PreparedConnection): Promise<void> {
  const transport = await prepared.take({ kubeconfig, context: undefined })
  cleanUp.push(() => transport.close())
  expect((await transport.send(request)).status).toBe(200)
}

test('uses the connection that is open already', async () => {
  const server = await startServer()
  choose(server.port)
  const prepared = await prepare()
  expect(server).toMatchObject({ connections: 1, paths: ['/version'] })
  await ask(prepared)
  expect(server).toMatchObject({ connections: 1, paths: ['/version', '/api'] })
})

test('follows a kubeconfig that was changed in the meantime', async () => {
  const [first, second] = [await startServer(), await startServer()]
  choose(first.port)
  const prepared = await prepare()
  choose(second.port)
  await ask(prepared)
  expect(first.paths).toEqual(['/version'])
  expect(second.paths).toEqual(['/api'])
})

test('reports an invalid kubeconfig only when the operator starts', async () => {
  const prepared = await prepare()
  await expect(prepared.take({ kubeconfig, context: undefined })).rejects.toThrow(/does not exist/)
  const server = await startServer()
  choose(server.port)
  await ask(prepared)
})
