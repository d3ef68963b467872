import { Agent, request } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { CertificateAuthority } from '../packages/apiserver/src/certificates/certificates.ts'
import { startControlPlane } from './kubernetes/control-plane.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
/** Long enough for the first requests. */
const LIFETIME = 10_000

test(
  'a real server refuses a certificate that expires on an open connection, and lets its watch run on',
  { timeout: 300_000 },
  async () => {
    const authority = await CertificateAuthority.create()
    await using server = await startControlPlane({ clientAuthorities: authority.certificate })
    await server.settled()
    const notAfter = new Date(Date.now() + LIFETIME).toISOString()
    const { certificate, key } = await authority.forClient(
      { name: 'jane', groups: ['system:masters'] },
      { notBefore: '2020-01-01T00:00:00Z', notAfter },
    )
    const ca = server.certificateAuthority
    const one = new Agent({ keepAlive: true, maxSockets: 1, cert: certificate, key, ca })
    const another = new Agent({ keepAlive: true, cert: certificate, key, ca })
    const send = (): Promise<{ code: number; socket: TLSSocket }> => {
      const { promise, resolve, reject } = Promise.withResolvers<{ code: number; socket: TLSSocket }>()
      request(`${server.url}${MAPS}`, { agent: one }, (incoming) => {
        const socket = incoming.socket as TLSSocket
        incoming.resume().once('end', () => resolve({ code: incoming.statusCode ?? 0, socket }))
      })
        .once('error', reject)
        .end()
      return promise
    }
    const first = await send()
    expect(first.code).toBe(200)
    let told = ''
    const began = Promise.withResolvers<void>()
    request(`${server.url}${MAPS}?watch=true`, { agent: another }, (incoming) => {
      began.resolve()
      incoming.setEncoding('utf8').on('data', (text: string) => (told += text))
      incoming.on('error', () => undefined)
    })
      .on('error', began.reject)
      .end()
    await began.promise
    let last = first
    while (last.code === 200) last = await send()
    expect(last.code).toBe(401)
    expect(last.socket).toBe(first.socket)
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
    request(`${server.url}${MAPS}`, { ca, method: 'POST', headers })
      .on('response', (incoming) => incoming.resume())
      .end('{"metadata":{"name":"told"}}')
    await expect.poll(() => told, { timeout: 30_000 }).toContain('"name":"told"')
    one.destroy()
    another.destroy()
  },
)
