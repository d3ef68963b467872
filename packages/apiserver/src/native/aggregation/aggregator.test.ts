import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { CertificateAuthority } from '@homeostat/api/certificates'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ApiServer } from '../../index.ts'

const VALIDITY = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-12-31T23:59:59Z' }
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'

let folder: string
let authority: CertificateAuthority
let extension: Server
let server: ApiServer
/** Whether the extension answers, and the issuer of the certificate that it was shown last. */
let healthy: boolean
let issuer: unknown

beforeEach(async () => {
  healthy = true
  folder = mkdtempSync(join(tmpdir(), 'homeostat-aggregation-'))
  authority = await CertificateAuthority.create('extensions', VALIDITY)
  const { key, certificate: cert } = await authority.forServer('s', ['s.default.svc'], VALIDITY)
  extension = createServer(
    { key, cert, requestCert: true, rejectUnauthorized: false },
    (incoming, outgoing) => {
      const { socket, headers } = incoming
      issuer = (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256
      outgoing.writeHead(healthy ? 200 : 500, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ user: headers['x-remote-user'], groups: headers['x-remote-group'] }))
    },
  )
  extension.listen(0, '127.0.0.1')
  await once(extension, 'listening')
  server = await ApiServer.start({ dataDir: join(folder, 'data') })
})
afterEach(async () => {
  await server.close()
  extension.closeAllConnections()
  extension.close()
  rmSync(folder, { recursive: true })
})

async function call(
  method: 'GET' | 'POST',
  path: string,
  object?: object,
): Promise<{ status: number; body: any }> {
  const { status, body } = await server.handler({
    method,
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: object && new TextEncoder().encode(JSON.stringify(object)),
  })
  const chunks: Uint8Array[] = []
  if (body instanceof Uint8Array) chunks.push(body)
  else for await (const chunk of body) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return { status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

async function register(): Promise<void> {
  const { port } = extension.address() as AddressInfo
  const spec = { type: 'ExternalName', externalName: 'localhost' }
  await call('POST', '/api/v1/namespaces/default/services', { metadata: { name: 's' }, spec })
  const { status } = await call('POST', API_SERVICES, {
    metadata: { name: 'v1.example.com' },
    spec: {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 100,
      caBundle: Buffer.from(authority.certificate).toString('base64'),
      service: { namespace: 'default', name: 's', port },
    },
  })
  expect(status).toBe(201)
}

async function reason(): Promise<unknown> {
  return (await call('GET', `${API_SERVICES}/v1.example.com`)).body.status?.conditions?.[0]?.reason
}

it('reaches the server that a Service of the type ExternalName names', async () => {
  await register()
  await expect.poll(reason).toBe('Passed')
  const { body } = await call('GET', '/apis/example.com/v1/things')
  expect(body).toEqual({ user: 'homeostat-admin', groups: 'system:masters, system:authenticated' })
})

it('answers 503 while the server does not pass its checks, and asks it again by itself', async () => {
  healthy = false
  await register()
  await expect.poll(reason).toBe('FailedDiscoveryCheck')
  expect(await call('GET', '/apis/example.com/v1')).toEqual({ status: 503, body: 'service unavailable\n' })
  healthy = true
  await expect.poll(reason).toBe('Passed')
  expect((await call('GET', '/apis/example.com/v1/things')).status).toBe(200)
})

it('shows the same certificate after a restart', async () => {
  await register()
  await expect.poll(reason).toBe('Passed')
  const before = issuer
  expect(before).toMatch(/^[0-9A-F:]+$/)
  await server.close()
  issuer = undefined
  server = await ApiServer.start({ dataDir: join(folder, 'data') })
  await expect.poll(() => issuer).toBe(before)
})

it('answers itself for an APIService that names no Service any longer', async () => {
  await register()
  await expect.poll(reason).toBe('Passed')
  const { status } = await server.handler({
    method: 'PATCH',
    path: `${API_SERVICES}/v1.example.com`,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/merge-patch+json' },
    body: new TextEncoder().encode('{"spec":{"service":null,"caBundle":null}}'),
  })
  expect(status).toBe(200)
  await expect.poll(reason).toBe('Local')
  expect((await call('GET', '/apis/example.com/v1/things')).status).toBe(404)
})
