import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Note, showOperator, type ShownOperator } from './shown-operator.ts'

let shown: ShownOperator
let port: number
let host: string

beforeEach(async () => {
  shown = await showOperator()
  port = Number(new URL(shown.dashboard.address).port)
  host = `127.0.0.1:${port}`
})
afterEach(() => shown[Symbol.asyncDispose]())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends a request with exactly these headers, as a browser or a hostile program would. */
function call(path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host, ...headers },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function cookie(address = shown.dashboard.address): Promise<string> {
  const { pathname, search } = new URL(address)
  const { headers } = await call(`${pathname}${search}`)
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

describe('the server of the page', () => {
  it('answers only a browser that was opened with the printed address', async () => {
    for (const path of ['/', '/page.js', '/stream']) expect((await call(path)).status).toBe(401)
    expect((await call('/?token=wrong')).status).toBe(401)
    expect((await call('/', { cookie: `homeostat-page-${port}=wrong` })).status).toBe(401)
    const answer = await call('/', { cookie: await cookie() })
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('<script type="module" src="/page.js">')
  })

  it('sets a cookie that no script and no other site can use, and forbids what is not its own', async () => {
    const { pathname, search } = new URL(shown.dashboard.address)
    const { headers } = await call(`${pathname}${search}`)
    expect(String(headers['set-cookie'])).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/)
    expect(headers['refresh']).toBe('0; url=/')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['cache-control']).toBe('no-store')
  })

  it('refuses other names of this machine, whatever the cookie', async () => {
    const known = await cookie()
    for (const other of ['evil.example.com', `evil.example.com:${port}`, 'localhost', `[::1]:${port}`]) {
      expect((await call('/', { host: other, cookie: known })).status).toBe(403)
    }
    expect((await call('/', { host: `localhost:${port}`, cookie: known })).status).toBe(200)
  })

  it('refuses other origins, to read and to write', async () => {
    const known = await cookie()
    const deletion = JSON.stringify({ apiVersion: 'v1', kind: 'Note', name: 'one', uid: 'x' })
    for (const origin of [
      'http://evil.example.com',
      'null',
      `http://127.0.0.1:${port + 1}`,
      `https://${host}`,
    ]) {
      expect((await call('/stream', { origin, cookie: known })).status).toBe(403)
      expect((await call('/actions/delete', { origin, cookie: known }, deletion)).status).toBe(403)
    }
    expect((await call('/actions/delete', { cookie: known }, deletion)).status).toBe(403)
    expect((await call('/stream', { 'sec-fetch-site': 'cross-site', cookie: known })).status).toBe(403)
  })

  it('lets an address that works once in once', async () => {
    const address = shown.dashboard.singleAddress()
    expect(await cookie(address)).toContain('homeostat-page')
    expect(await cookie(address)).toBe('undefined')
  })

  it('deletes only the very object that was shown, and refuses what is not an action', async () => {
    const headers = { origin: `http://${host}`, cookie: await cookie() }
    const key = { namespace: 'default', name: 'one' }
    await shown.client.create(Note, { metadata: key, spec: { text: 'hello' } })
    const about = { apiVersion: 'page.example.com/v1', kind: 'Note', ...key }
    const other = JSON.stringify({ ...about, uid: 'another' })
    expect(await call('/actions/delete', headers, other)).toMatchObject({
      status: 409,
      body: expect.stringContaining('UID'),
    })
    expect(await shown.client.get(Note, key)).toBeDefined()
    for (const [action, body, status] of [
      ['delete', '{', 400],
      ['delete', '[]', 400],
      ['delete', '{}', 400],
      ['explode', '{}', 400],
      ['operator', '{"action":"explode"}', 400],
      ['replace', JSON.stringify({ yaml: 'apiVersion: v1\nkind: Secret\nmetadata: {name: a}' }), 400],
      ['replace', JSON.stringify({ yaml: 'x'.repeat(4_000_000) }), 413],
    ] as const) {
      expect({ action, ...(await call(`/actions/${action}`, headers, body)) }).toMatchObject({
        action,
        status,
      })
    }
    expect((await call('/../package.json', { cookie: headers.cookie })).status).toBe(404)
  })
})
