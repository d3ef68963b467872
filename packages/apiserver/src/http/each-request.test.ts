import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { ApiServer } from '../server.ts'
import { callJson } from '../testing/index.ts'
import { CertificateAuthority, type Certificate } from '../certificates/certificates.ts'
import type { ApiPort } from '../port/port.ts'

// The simulated clock starts at noon of 1 January 2026; OpenSSL checks by the machine's own time.
const VALIDITY = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2090-01-01T00:00:00Z' }
const AFTER = '2090-01-01T00:00:01Z'
const PODS = '/api/v1/namespaces/default/pods'
const MASTERS = { name: 'root', groups: ['system:masters'] }

let clock: SimulatedClock
let server: ApiServer
let port: ApiPort
let agents: Agent[]

beforeEach(async () => {
  clock = new SimulatedClock()
  server = await ApiServer.start({ clock })
  port = await server.listen()
  agents = []
})
afterEach(async () => {
  for (const agent of agents) agent.destroy()
  await server.close()
})

interface Answer {
  readonly code: number
  readonly socket: TLSSocket
}

/** A client that keeps one connection open. */
function client(
  login: { certificate?: Certificate; token?: string },
  to = port,
  more: ConnectionOptions = {},
) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agents.push(agent)
  const options: RequestOptions & ConnectionOptions = {
    agent,
    ca: to.certificateAuthority,
    cert: login.certificate?.certificate,
    key: login.certificate?.key,
    ...more,
  }
  return (path: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    if (login.token !== undefined) headers = { authorization: `Bearer ${login.token}`, ...headers }
    const outgoing = request(`${to.url}${path}`, { ...options, headers }, (incoming) => {
      const socket = incoming.socket as TLSSocket
      incoming.resume().once('end', () => resolve({ code: incoming.statusCode ?? 0, socket }))
    })
    outgoing.once('upgrade', (incoming, socket) => {
      socket.destroy()
      resolve({ code: incoming.statusCode ?? 0, socket: socket as TLSSocket })
    })
    outgoing.once('error', reject)
    outgoing.end()
    return promise
  }
}

describe('a client certificate that has expired', () => {
  it('is refused on a connection that was opened before', async () => {
    const send = client({ certificate: await port.clientCertificate(MASTERS, VALIDITY) })
    const before = await send(PODS)
    expect(before.code).toBe(200)
    clock.jumpTo(AFTER)
    const after = await send(PODS)
    expect(after.socket).toBe(before.socket)
    expect(after.code).toBe(401)
  })

  it('is also refused before it becomes valid', async () => {
    const certificate = await port.clientCertificate(MASTERS, VALIDITY)
    clock.jumpTo('2019-12-31T23:59:59Z')
    expect((await client({ certificate })(PODS)).code).toBe(401)
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('is refused on a resumed session of %s', async (version) => {
    const certificate = await port.clientCertificate(MASTERS, VALIDITY)
    const tls = { minVersion: version, maxVersion: version }
    const sessions: Buffer[] = []
    const full = client({ certificate }, port, tls)
    const first = await full(PODS)
    expect(first.code).toBe(200)
    first.socket.on('session', (session: Buffer) => sessions.push(session))
    const session = first.socket.getSession() ?? sessions.at(-1)
    const resumed = async (): Promise<Answer> => client({ certificate }, port, { ...tls, session })(PODS)
    const valid = await resumed()
    expect(valid.socket.isSessionReused()).toBe(true)
    expect(valid.code).toBe(200)
    clock.jumpTo(AFTER)
    const expired = await resumed()
    expect(expired.socket.isSessionReused()).toBe(true)
    expect(expired.code).toBe(401)
  })

  it('is refused for a request to upgrade', async () => {
    const send = client({ certificate: await port.clientCertificate(MASTERS, VALIDITY) })
    await send(PODS)
    clock.jumpTo(AFTER)
    for (const subresource of ['exec?command=ls', 'attach?stdout=true', 'portforward?ports=80']) {
      const headers = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
        'sec-websocket-protocol': 'v5.channel.k8s.io',
      }
      expect((await send(`${PODS}/any/${subresource}`, headers)).code, subresource).toBe(401)
    }
  })

  it('does not matter where a token comes with it', async () => {
    const certificate = await port.clientCertificate(MASTERS, VALIDITY)
    const send = client({ certificate, token: port.token })
    clock.jumpTo(AFTER)
    expect((await send(PODS)).code).toBe(200)
  })
})

test('the certificate of an authority that has expired is refused on an open connection', async () => {
  const authority = await CertificateAuthority.create(VALIDITY)
  const other = await server.listen({ clientAuthorities: authority.certificate })
  const send = client({ certificate: await authority.forClient(MASTERS) }, other)
  expect((await send(PODS)).code).toBe(200)
  clock.jumpTo(AFTER)
  expect((await send(PODS)).code).toBe(401)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0

test.skipIf(!hasOpenssl)(
  'an intermediate authority that has expired ends its certificates, also on a resumed session',
  async () => {
    // openssl begins certificates with the machine's own time.
    clock.jumpTo(new Date(Date.now() + 60_000).toISOString())
    const { authorities, ...certificate } = intermediateChain()
    const other = await server.listen({ clientAuthorities: authorities })
    const send = client({ certificate }, other, { maxVersion: 'TLSv1.2' })
    const { code, socket } = await send(PODS)
    expect(code).toBe(200)
    const session = socket.getSession()
    const resume = (): Promise<Answer> =>
      client({ certificate }, other, { maxVersion: 'TLSv1.2', session })(PODS)
    const resumed = await resume()
    expect(resumed.socket.isSessionReused()).toBe(true)
    expect(resumed.code).toBe(200)
    clock.jumpTo(AFTER)
    expect((await resume()).code).toBe(401)
    expect((await send(PODS)).code).toBe(401)
  },
)

/** A client's certificate by an intermediate authority that ends decades before its root and the certificate. */
function intermediateChain(): Certificate & { readonly authorities: string } {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-chain-'))
  const openssl = (line: string): void => {
    const args = line.split(' ')
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
  }
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
  const sign = (name: string, issuer: string, days: number): void =>
    openssl(
      `x509 -req -in ${name}.csr -out ${name}.crt -days ${days} -extfile ${name}.ext ` +
        `-CA ${issuer}.crt -CAkey ${issuer}.key -set_serial ${days}`,
    )
  try {
    const text = (name: string): string => readFileSync(join(folder, name), 'utf8')
    openssl(`req -x509 ${key} -keyout root.key -out root.crt -days 36500 -subj /CN=root`)
    writeFileSync(join(folder, 'middle.ext'), 'basicConstraints=critical,CA:TRUE\n')
    openssl(`req ${key} -keyout middle.key -out middle.csr -subj /CN=middle`)
    sign('middle', 'root', 20_000)
    writeFileSync(join(folder, 'leaf.ext'), 'extendedKeyUsage=clientAuth\n')
    openssl(`req ${key} -keyout leaf.key -out leaf.csr -subj /O=system:masters/CN=jane`)
    sign('leaf', 'middle', 36_000)
    return {
      certificate: text('leaf.crt'),
      key: text('leaf.key'),
      authorities: text('middle.crt') + text('root.crt'),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a running watch continues after its certificate has expired, and cannot be restarted', async () => {
  const certificate = await port.clientCertificate(MASTERS, VALIDITY)
  const agent = new Agent({ keepAlive: true })
  agents.push(agent)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const tls = { agent, ca: port.certificateAuthority, cert: certificate.certificate, key: certificate.key }
  const began = Promise.withResolvers<void>()
  const maps = '/api/v1/namespaces/default/configmaps'
  request(`${port.url}${maps}?watch=true`, tls, (incoming) => {
    began.resolve()
    incoming.once('data', (chunk: Buffer) => resolve(chunk.toString()))
    incoming.on('error', () => undefined)
  })
    .on('error', reject)
    .end()
  await began.promise
  clock.jumpTo(AFTER)
  await callJson(server.handler, 'POST', maps, { body: { metadata: { name: 'told' } } })
  expect(await promise).toContain('"name":"told"')
  expect((await client({ certificate })(`${maps}?watch=true`)).code).toBe(401)
})

describe('a token is checked on each request of a connection', () => {
  const ACCOUNT = '/api/v1/namespaces/default/serviceaccounts/robot'
  const bodies = {
    Pod: {
      metadata: { name: 'bound' },
      spec: { serviceAccountName: 'robot', containers: [{ name: 'a', image: 'a' }] },
    },
    Secret: { metadata: { name: 'bound' } },
  }

  it.each([
    ['has expired', undefined, async () => clock.jumpTo('2026-01-01T13:02:00Z')],
    ['lost its ServiceAccount', undefined, () => callJson(server.handler, 'DELETE', ACCOUNT)],
    ['lost its Pod', 'Pod', () => callJson(server.handler, 'DELETE', `${PODS}/bound?gracePeriodSeconds=0`)],
    [
      'lost its Secret',
      'Secret',
      () => callJson(server.handler, 'DELETE', '/api/v1/namespaces/default/secrets/bound'),
    ],
  ] as const)('one that %s', async (_what, kind, end) => {
    const create = async (path: string, body: object): Promise<any> => {
      const { code, body: answer } = await callJson(server.handler, 'POST', path, { body })
      expect(code, JSON.stringify(answer)).toBe(201)
      return answer
    }
    await create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } })
    let boundObjectRef: object | undefined
    if (kind) {
      const plural = `${kind.toLowerCase()}s`
      const { metadata } = await create(`/api/v1/namespaces/default/${plural}`, bodies[kind])
      boundObjectRef = { apiVersion: 'v1', kind, name: 'bound', uid: metadata.uid }
    }
    const { status } = await create(`${ACCOUNT}/token`, { spec: { expirationSeconds: 3600, boundObjectRef } })
    const send = client({ token: status.token })
    const before = await send('/api')
    expect(before.code).toBe(200)
    await end()
    const after = await send('/api')
    expect(after.socket).toBe(before.socket)
    expect(after.code).toBe(401)
  })
})
