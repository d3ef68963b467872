import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { SimulatedClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as certificates from '../../test/certificates.ts'
import { json, ScriptedApi } from '../../test/scripted-api.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { ManagerOptions } from '../manager/manager-options.ts'
import { Manager } from '../manager/manager.ts'

let clock: SimulatedClock
let api: ScriptedApi
let folder: string
let stops: (() => Promise<void>)[]

beforeEach(async () => {
  clock = new SimulatedClock()
  api = new ScriptedApi()
  folder = await mkdtemp(join(tmpdir(), 'homeostat-pages-'))
  stops = []
})
afterEach(async () => {
  for (const stop of stops) await stop()
  await rm(folder, { recursive: true, force: true })
})

function start(options: ManagerOptions) {
  const transport = directTransport(api.handler, { clock })
  const manager = new Manager({ clock, transport, logger: silentLogger, ...options })
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  running.catch(() => {})
  stops.push(async () => {
    stop.abort()
    await running.catch(() => {})
  })
  return { manager, running }
}

async function files(pair: { cert: string; key: string }) {
  const tls = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  await writeFile(tls.certFile, pair.cert)
  await writeFile(tls.keyFile, pair.key)
  return tls
}

/** Reads a page over HTTPS on a new connection; returns its status and the name in the server's certificate. */
function read(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; name: string; body: string }>((resolve, reject) => {
    const options = {
      ca: certificates.ca,
      headers,
      agent: false,
      checkServerIdentity: () => undefined,
    } as const
    https
      .get(url, options, (response) => {
        const name = String((response.socket as TLSSocket).getPeerCertificate().subject.CN)
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => (body += text))
        response.on('end', () => resolve({ status: response.statusCode, name, body }))
      })
      .on('error', reject)
  })
}

describe('a page over HTTPS', () => {
  test('has the certificate of its files, and another one when they change', async () => {
    const tls = await files(certificates.server)
    const { manager } = start({ metrics: { port: 0, tls } })
    await vi.waitFor(() => expect(manager.metricsUrl).toMatch(/^https:/), { timeout: 60_000 })
    expect(await read(manager.metricsUrl!)).toMatchObject({ status: 200, name: 'server' })
    await files(certificates.misnamed)
    await clock.advance('9s')
    expect((await read(manager.metricsUrl!)).name).toBe('server')
    await clock.advance('1s')
    const { name, body } = await read(manager.metricsUrl!)
    expect(name).toBe('misnamed')
    expect(body).toContain('certwatcher_read_certificate_total 2\n')
    expect(body).toContain('certwatcher_read_certificate_errors_total 0\n')
  })

  test('keeps the last usable certificate, and counts those that cannot be used', async () => {
    const tls = await files(certificates.server)
    const { manager } = start({ metrics: { port: 0, tls } })
    await vi.waitFor(() => expect(manager.metricsUrl).toBeDefined(), { timeout: 60_000 })
    await writeFile(tls.certFile, certificates.misnamed.cert)
    await clock.advance('10s')
    expect((await read(manager.metricsUrl!)).name).toBe('server')
    await rm(tls.keyFile)
    await clock.advance('10s')
    const { name, body } = await read(manager.metricsUrl!)
    expect(name).toBe('server')
    expect(body).toContain('certwatcher_read_certificate_errors_total 2\n')
    await files(certificates.misnamed)
    await clock.advance('10s')
    expect((await read(manager.metricsUrl!)).name).toBe('misnamed')
  })

  test('leaves no timer behind', async () => {
    const tls = await files(certificates.server)
    const { manager } = start({ metrics: { port: 0, tls } })
    await vi.waitFor(() => expect(manager.metricsUrl).toBeDefined(), { timeout: 60_000 })
    await stops[0]!()
    expect(clock.nextDue()).toBeUndefined()
  })

  test.each([
    [
      'a file that is not there',
      async () => ({ certFile: '/nowhere/tls.crt', keyFile: '/nowhere/tls.key' }),
      /the file \/nowhere\/tls\.(crt|key) \(tls\.(cert|key)File of a page\) does not exist: correct the path/,
    ],
    [
      'a key of another certificate',
      () => files({ cert: certificates.server.cert, key: certificates.client.key }),
      /tls.crt and the key in .*tls.key cannot be used together/,
    ],
    ['rubbish', () => files({ cert: 'rubbish', key: 'rubbish' }), /both must be PEM/],
  ] as const)('is not opened with %s', async (_, make, message) => {
    const { running } = start({ metrics: { port: 0, tls: await make() } })
    await expect(running).rejects.toMatchObject({
      code: 'PAGE_CERTIFICATE',
      message: expect.stringMatching(message),
    })
  })
})

test('pages that share a port must agree on how it is served', async () => {
  const tls = await files(certificates.server)
  const { running } = start({ metrics: { port: 9443 }, health: { port: 9443, tls } })
  await expect(running).rejects.toThrow(
    'the options metrics and health name the same port, 9443, but not the same host and tls',
  )
})

describe('a page for authorized readers', () => {
  test('refuses readers without a token; probes on the same port need none', async () => {
    const { manager } = start({ metrics: { port: 0, authorize: true }, health: { port: 0 } })
    await vi.waitFor(() => expect(manager.healthUrl).toBeDefined(), { timeout: 60_000 })
    expect((await fetch(manager.metricsUrl!)).status).toBe(401)
    expect((await fetch(`${manager.healthUrl}/healthz`)).status).toBe(200)
    api.next(json({ status: { authenticated: true, user: { username: 'p' } } }, 201))
    api.next(json({ status: { allowed: true } }, 201))
    const answer = await fetch(manager.metricsUrl!, { headers: { authorization: 'Bearer x' } })
    expect(answer.status).toBe(200)
    expect(api.bodyOf(1)).toMatchObject({
      spec: { user: 'p', nonResourceAttributes: { path: '/metrics', verb: 'get' } },
    })
  })

  test('is part of the rules that the manager needs', () => {
    expect(new Manager({ metrics: { authorize: true } }).rules()).toEqual([
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
    ])
  })
})

describe('the page that measures the process', () => {
  test('gives profiles that developer tools open', async () => {
    const { manager } = start({ profiling: { port: 0 } })
    await vi.waitFor(() => expect(manager.profilingUrl).toBeDefined(), { timeout: 60_000 })
    const measure = async (what: string) => {
      const answer = fetch(`${manager.profilingUrl}/${what}?seconds=2`)
      await vi.waitFor(() => expect(clock.nextDue()).toBeDefined(), { timeout: 60_000 })
      const busy = await fetch(`${manager.profilingUrl}/${what}?seconds=2`)
      expect(busy.status).toBe(429)
      await clock.advance('2s')
      return (await answer).json() as Promise<Record<string, unknown>>
    }
    expect(await measure('cpu')).toMatchObject({ nodes: expect.any(Array), samples: expect.any(Array) })
    expect(await measure('heap')).toMatchObject({ head: expect.any(Object) })
    expect((await fetch(`${manager.profilingUrl}/cpu?seconds=1e9`)).status).toBe(400)
    expect((await fetch(`${manager.profilingUrl}/toString`)).status).toBe(404)
  })
})
