import { request } from 'node:https'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiServer } from '../server.ts'
import { CertificateAuthority, type Certificate } from '../certificates/certificates.ts'
import type { ApiPort } from './port.ts'

let server: ApiServer
let port: ApiPort

beforeEach(async () => {
  server = await ApiServer.start()
  port = await server.listen()
})
afterEach(() => server.close())

function send(
  to: ApiPort,
  method: string,
  path: string,
  client?: Certificate,
  headers: Record<string, string | string[]> = {},
): Promise<{ code: number; body: any }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; body: any }>()
  const tls = { ca: to.certificateAuthority, cert: client?.certificate, key: client?.key }
  const options = {
    method,
    ...tls,
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  }
  const outgoing = request(`${to.url}${path}`, options, (incoming) => {
    let text = ''
    incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    incoming.on('end', () => resolve({ code: incoming.statusCode ?? 0, body: JSON.parse(text) }))
  })
  outgoing.on('error', reject)
  outgoing.end(method === 'POST' ? '{}' : undefined)
  return promise
}

const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'

test('a certificate’s common name is the user, and its organizations are the groups', async () => {
  const client = await port.clientCertificate({ name: 'jane', groups: ['ops', 'dev'] })
  const { code, body } = await send(port, 'POST', WHO, client)
  expect(code).toBe(201)
  expect(body.status.userInfo).toEqual({
    username: 'jane',
    groups: ['ops', 'dev', 'system:authenticated'],
    extra: {
      'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)],
    },
  })
  expect((await send(port, 'GET', '/api/v1/pods', client)).code).toBe(403)
})

test('a member of system:masters may do everything', async () => {
  const client = await port.clientCertificate({ name: 'root', groups: ['system:masters'] })
  expect((await send(port, 'GET', '/api/v1/pods', client)).code).toBe(200)
})

test('a certificate of an unknown authority is refused, unless a token comes with it', async () => {
  const stranger = await (await CertificateAuthority.create()).forClient({ name: 'jane', groups: [] })
  expect((await send(port, 'GET', '/api/v1/pods', stranger)).code).toBe(401)
  const headers = { authorization: `Bearer ${port.token}` }
  expect((await send(port, 'GET', '/api/v1/pods', stranger, headers)).code).toBe(200)
})

test('the certificate of a server authenticates no user', async () => {
  const authority = await CertificateAuthority.create()
  const other = await server.listen({ clientAuthorities: authority.certificate })
  expect((await send(other, 'GET', '/api', await authority.forServer('127.0.0.1'))).code).toBe(401)
})

test('a port accepts its own certificate and further client authorities as options', async () => {
  const authority = await CertificateAuthority.create()
  const tls = await authority.forServer('127.0.0.1')
  const other = await server.listen({ tls, clientAuthorities: authority.certificate })
  const client = await authority.forClient({ name: 'jane', groups: [] })
  const trusting = { ...other, certificateAuthority: authority.certificate }
  const { body } = await send(trusting, 'POST', WHO, client)
  expect(body.status.userInfo.username).toBe('jane')
})

test('an impersonated group may contain a comma, and there may be several', async () => {
  const headers = {
    authorization: `Bearer ${port.token}`,
    'impersonate-user': 'jane',
    'impersonate-group': ['a, b', 'c'],
  }
  const { body } = await send(port, 'POST', WHO, undefined, headers)
  expect(body.status.userInfo).toEqual({ username: 'jane', groups: ['a, b', 'c', 'system:authenticated'] })
})
