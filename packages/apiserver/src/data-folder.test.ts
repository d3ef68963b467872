import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ApiPort } from './port/port.ts'
import { ApiServer } from './server.ts'
import { callJson } from './testing/index.ts'

let dataDir: string
let servers: ApiServer[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'homeostat-folder-'))
  servers = []
})
afterEach(async () => {
  for (const server of servers) await server.close()
  rmSync(dataDir, { recursive: true })
})

async function start(): Promise<ApiServer> {
  const server = await ApiServer.start({ dataDir })
  servers.push(server)
  return server
}

/** Sends a request with the address and credentials of the first server. */
function ask(
  known: Pick<ApiPort, 'url' | 'certificateAuthority'>,
  login: { token?: string; cert?: string; key?: string },
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const { token, ...tls } = login
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const options = { ...tls, ca: known.certificateAuthority, headers, agent: false as const }
  request(`${known.url}/api/v1/namespaces`, options, (incoming) => {
    incoming.resume().once('end', () => resolve(incoming.statusCode ?? 0))
  })
    .once('error', reject)
    .end()
  return promise
}

describe('a server that is started again on its folder', () => {
  it('is the same for its clients: address, authority, token and client certificates', async () => {
    const first = await start()
    const before = await first.listen()
    const { certificate: cert, key } = await before.clientCertificate({
      name: 'jane',
      groups: ['system:masters'],
    })
    await first.close()
    const after = await (await start()).listen()
    expect(after.kubeconfig()).toBe(before.kubeconfig())
    expect(after.formerPort).toBeUndefined()
    expect(await ask(before, { token: before.token })).toBe(200)
    expect(await ask(before, { cert, key })).toBe(200)
  })

  it('knows tokens of ServiceAccounts from before', async () => {
    const first = await start()
    const accounts = '/api/v1/namespaces/default/serviceaccounts'
    await callJson(first.handler, 'POST', accounts, { body: { metadata: { name: 'robot' } } })
    const { body } = await callJson(first.handler, 'POST', `${accounts}/robot/token`, { body: {} })
    await first.close()
    const port = await (await start()).listen()
    // The ServiceAccount is known, and has no rights.
    expect(await ask(port, { token: body.status.token })).toBe(403)
  })

  it('takes another port when a program has the former one, and reports both', async () => {
    const first = await start()
    const { port: former } = await first.listen()
    await first.close()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(former, '127.0.0.1', resolve))
    try {
      const second = await start()
      const port = await second.listen()
      expect(port.port).not.toBe(former)
      expect(port.formerPort).toBe(former)
      expect(await ask(port, { token: port.token })).toBe(200)
    } finally {
      other.close()
    }
  })

  it('listens on the given port, and reports the former one', async () => {
    const first = await start()
    const { port: former } = await first.listen()
    await first.close()
    const free = createServer()
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
    const { port: wanted } = free.address() as AddressInfo
    await new Promise((resolve) => free.close(resolve))
    const port = await (await start()).listen({ port: wanted })
    expect(port).toMatchObject({ port: wanted, formerPort: former })
  })

  it('makes its credentials readable only by their owner', async () => {
    const server = await start()
    await server.listen()
    const names = readdirSync(dataDir).sort()
    expect(names).toEqual(
      expect.arrayContaining(['admin.token', 'certificate-authority.pem', 'port', 'service-account.key']),
    )
    for (const name of names) expect(statSync(join(dataDir, name)).mode & 0o077, name).toBe(0)
  })

  it.each([
    ['certificate-authority.pem', 'no certificate with its key'],
    ['admin.token', 'no token'],
    ['service-account.key', 'no private key'],
  ])('refuses a damaged %s, and does not change it', async (name, what) => {
    const first = await start()
    await first.listen()
    await first.close()
    const file = join(dataDir, name)
    for (const damaged of ['', readFileSync(file, 'utf8').slice(0, 30)]) {
      writeFileSync(file, damaged)
      const attempt = start().then((server) => server.listen())
      await expect(attempt).rejects.toMatchObject({
        code: 'CREDENTIALS_DAMAGED',
        message: expect.stringContaining(
          `${file} is damaged: it holds ${what}. Restore it from a backup, or move it away`,
        ),
      })
      expect(readFileSync(file, 'utf8')).toBe(damaged)
      for (const server of servers.splice(0)) await server.close()
    }
  })

  it('refuses an authority whose key does not match its certificate', async () => {
    const file = join(dataDir, 'certificate-authority.pem')
    const texts: string[] = []
    for (let count = 0; count < 2; count++) {
      const server = await start()
      await server.listen()
      await server.close()
      texts.push(readFileSync(file, 'utf8'))
      rmSync(file)
    }
    const [certificate] = texts[0]!.split('-----BEGIN PRIVATE')
    const [, key] = texts[1]!.split('-----BEGIN PRIVATE')
    writeFileSync(file, `${certificate}-----BEGIN PRIVATE${key}`)
    const server = await start()
    await expect(server.listen()).rejects.toMatchObject({ code: 'CREDENTIALS_DAMAGED' })
  })
})

it('ports of one server share the token until the last of them is closed', async () => {
  const server = await start()
  const [one, two] = [await server.listen(), await server.listen({ port: 0 })]
  await one.close()
  expect(await ask(two, { token: two.token })).toBe(200)
})
