import { SimulatedClock } from '@homeostat/api'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { failure, json, ScriptedApi } from '../../test/scripted-api.ts'
import { createClient } from '../client/create-client.ts'
import { createLogger } from '../telemetry/create-logger.ts'
import { directTransport } from '../transport/direct-transport.ts'
import type { Transport } from '../transport/transport.ts'
import { PageAccess } from './page-access.ts'
import type { PageAnswer } from './page.ts'

let clock: SimulatedClock
let api: ScriptedApi
let lines: string[]
let read: (authorization?: string) => Promise<PageAnswer>

beforeEach(() => {
  clock = new SimulatedClock()
  api = new ScriptedApi()
  lines = []
  read = guarded(directTransport(api.handler, { clock }))
})

function guarded(transport: Transport): (authorization?: string) => Promise<PageAnswer> {
  const logger = createLogger({ format: 'text', clock, write: (line) => lines.push(line) })
  const client = createClient({ transport, clock, logger })
  const page = new PageAccess({ client, clock, logger }).guard(() => ({ status: 200, body: 'numbers' }))
  return async (authorization) =>
    page({
      method: 'GET',
      path: '/metrics',
      below: '',
      query: new URLSearchParams(),
      signal: new AbortController().signal,
      authorization,
    })
}

const user = { username: 'prometheus', uid: '7', groups: ['monitoring'], extra: { team: ['a'] } }
const known = () => api.next(json({ kind: 'TokenReview', status: { authenticated: true, user } }, 201))
const unknown = () => api.next(json({ kind: 'TokenReview', status: { error: 'no such token' } }, 201))
const allowed = (allowed: boolean) =>
  api.next(json({ kind: 'SubjectAccessReview', status: { allowed, reason: 'because' } }, 201))

describe('a page that asks the API server', () => {
  test('is shown to users whom the API server authenticates and allows to read its path', async () => {
    known()
    allowed(true)
    expect(await read('Bearer secret-token')).toEqual({ status: 200, body: 'numbers' })
    expect(api.described()).toEqual([
      'POST /apis/authentication.k8s.io/v1/tokenreviews?fieldManager=homeostat',
      'POST /apis/authorization.k8s.io/v1/subjectaccessreviews?fieldManager=homeostat',
    ])
    expect(api.bodyOf(0)).toMatchObject({ kind: 'TokenReview', spec: { token: 'secret-token' } })
    expect(api.bodyOf(1)).toMatchObject({
      spec: {
        user: 'prometheus',
        uid: '7',
        groups: ['monitoring'],
        extra: { team: ['a'] },
        nonResourceAttributes: { verb: 'get', path: '/metrics' },
      },
    })
  })

  test.each([undefined, '', 'Basic abc', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(20_000)}`])(
    'sends no review for %j, and answers 401',
    async (authorization) => {
      expect(await read(authorization)).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
      })
      expect(api.requests).toEqual([])
    },
  )

  test('answers 401 to a token that the API server does not know, and caches that for a minute', async () => {
    unknown()
    expect((await read('Bearer x')).status).toBe(401)
    await clock.advance('59s')
    expect((await read('Bearer x')).status).toBe(401)
    expect(api.requests).toHaveLength(1)
    await clock.advance('1s')
    unknown()
    await read('Bearer x')
    expect(api.requests).toHaveLength(2)
  })

  test('answers 403 to a user without the right, and asks again after half a minute', async () => {
    known()
    allowed(false)
    expect(await read('Bearer x')).toEqual({
      status: 403,
      body: 'Forbidden: prometheus may not get /metrics.\n',
    })
    await clock.advance('29s')
    await read('Bearer x')
    expect(api.requests).toHaveLength(2)
    await clock.advance('1s')
    allowed(true)
    expect((await read('Bearer x')).status).toBe(200)
  })

  test('caches users for a minute, and granted rights for five', async () => {
    known()
    allowed(true)
    await Promise.all([read('Bearer x'), read('Bearer x')])
    expect(api.requests).toHaveLength(2)
    await clock.advance('1m')
    known()
    await read('Bearer x')
    expect(api.requests).toHaveLength(3)
    await clock.advance('4m')
    known()
    allowed(true)
    await read('Bearer x')
    expect(api.requests).toHaveLength(5)
  })

  test('is refused where the API server does not answer; that is not cached, and the log has no token', async () => {
    api.next(failure(403, 'Forbidden'))
    expect(await read('Bearer secret-token')).toMatchObject({ status: 500 })
    expect(lines.join()).toMatch(/could not be asked whose token it is/)
    expect(lines.join()).not.toContain('secret-token')
    known()
    api.next(failure(500, 'InternalError'))
    expect(await read('Bearer secret-token')).toMatchObject({ status: 500 })
    allowed(true)
    expect((await read('Bearer secret-token')).status).toBe(200)
  })

  test('is refused where the server does not answer for ten seconds', async () => {
    const silent: Transport = {
      server: 'silent',
      send: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    }
    const reading = guarded(silent)('Bearer x')
    // The token's digest is made outside of simulated time.
    await vi.waitFor(() => expect(clock.nextDue()).toBe(10_000), { timeout: 60_000 })
    await clock.advance('10s')
    expect(await reading).toMatchObject({ status: 500 })
    expect(lines.join()).toContain('did not answer within 10000 ms')
  })
})
