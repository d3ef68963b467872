import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SimulatedClock } from '@homeostat/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CertificateAuthority } from '../certificates/index.ts'
import { ExpiringCache } from './expiring-cache.ts'
import { readKubeconfig } from './kubeconfig.ts'
import { ReviewClient } from './review-client.ts'

describe('a cache', () => {
  test('drops values that are too old, and those that were not used for the longest time', () => {
    let now = 0
    const cache = new ExpiringCache<string>(() => now, 2)
    cache.set('a', '1', 100)
    cache.set('b', '2', 200)
    expect(cache.get('a')).toBe('1')
    cache.set('c', '3', 100)
    expect(cache.get('b')).toBeUndefined()
    now = 99
    expect(cache.get('a')).toBe('1')
    now = 100
    expect([cache.get('a'), cache.get('c')]).toEqual([undefined, undefined])
    cache.set('d', '4', 0)
    expect(cache.get('d')).toBeUndefined()
  })
})

describe('a kubeconfig', () => {
  let folder: string
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'homeostat-kubeconfig-'))))
  afterAll(() => rmSync(folder, { recursive: true }))

  const write = (change: object): string => {
    const file = join(folder, 'kubeconfig')
    const configuration = {
      clusters: [{ name: 'c', cluster: { server: 'https://a/b', 'certificate-authority': 'ca.pem' } }],
      users: [{ name: 'u', user: { username: 'me', password: 'secret' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
      ...change,
    }
    writeFileSync(file, JSON.stringify(configuration))
    return file
  }

  test('names the service and the credentials, and files beside it', async () => {
    writeFileSync(join(folder, 'ca.pem'), 'the authority')
    expect(await readKubeconfig('--flag', write({}))).toEqual({
      url: 'https://a/b',
      ca: 'the authority',
      certificate: undefined,
      key: undefined,
      serverName: undefined,
      isInsecure: false,
      authorization: `Basic ${btoa('me:secret')}`,
    })
  })

  test.each([
    [{ 'current-context': undefined }, 'current-context: is missing'],
    [{ 'current-context': 'y' }, 'contexts: has no entry with the name "y"'],
    [{ clusters: [] }, 'clusters: has no entry with the name "c"'],
    [
      { clusters: [{ name: 'c', cluster: { server: 'http://a' } }] },
      'needs a server that begins with https://',
    ],
    [
      { clusters: [{ name: 'c', cluster: { 'proxy-url': 'x' } }] },
      'clusters["c"].cluster.proxy-url: is not supp',
    ],
    [{ users: [{ name: 'u', user: { exec: {} } }] }, 'users["u"].user.exec: is not supported'],
    [{ users: [{ name: 'u', user: { 'client-key-data': 'a' } }] }, 'must be given together'],
    [
      { clusters: [{ name: 'c', cluster: { server: 'https://a', 'certificate-authority': 'none' } }] },
      'certificate-authority: ',
    ],
  ])('with %j is refused', async (change, message) => {
    const file = write(change)
    await expect(readKubeconfig('--flag', file)).rejects.toThrow(`--flag: ${file}: `)
    await expect(readKubeconfig('--flag', file)).rejects.toThrow(message)
  })

  test('that is not YAML is refused without its text', async () => {
    const file = join(folder, 'wrong')
    writeFileSync(file, '"secret": [')
    await expect(readKubeconfig('--flag', file)).rejects.toThrow(`--flag: ${file}: is not YAML`)
  })
})

describe('a service', () => {
  const REVIEW = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenReview' }
  let server: Server
  let authority: CertificateAuthority
  const answers: { readonly status: number; readonly body: string }[] = []
  const headers: (string | undefined)[] = []
  beforeAll(async () => {
    authority = await CertificateAuthority.create()
    const { certificate, key } = await authority.forServer('127.0.0.1')
    server = createServer({ cert: certificate, key }, (request, response) => {
      headers.push(request.headers.authorization)
      request.resume()
      const { status, body } = answers.shift()!
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const clientOf = (clock: SimulatedClock) => {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/x`
    const none = { certificate: undefined, key: undefined, serverName: undefined, isInsecure: false }
    const service = { url, ca: authority.certificate, ...none, authorization: 'Bearer mine' }
    return new ReviewClient(service, { timeout: 30_000, clock })
  }
  const good = { status: 200, body: JSON.stringify({ status: { authenticated: true } }) }
  const failing = { status: 500, body: 'later' }

  /** Lets simulated time pass whenever the client waits. */
  async function passing<T>(clock: SimulatedClock, promise: Promise<T>): Promise<T> {
    const state = { isOver: false }
    const over = promise.finally(() => void (state.isOver = true))
    over.catch(() => {})
    while (!state.isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      if (clock.nextDue() !== undefined) await clock.advance(1_000)
    }
    return over
  }

  test('is asked again where it fails, and gets the credentials', async () => {
    const clock = new SimulatedClock()
    using client = clientOf(clock)
    answers.push(failing, { status: 429, body: '' }, good)
    headers.splice(0)
    expect(await passing(clock, client.ask(REVIEW, {}))).toEqual({ authenticated: true })
    expect(headers).toEqual(['Bearer mine', 'Bearer mine', 'Bearer mine'])
  })

  test('is asked five times at most', async () => {
    const clock = new SimulatedClock()
    using client = clientOf(clock)
    answers.push(failing, failing, failing, failing, failing, good)
    await expect(passing(clock, client.ask(REVIEW, {}))).rejects.toThrow(
      'an error on the server ("later") has prevented the request from succeeding',
    )
    expect(answers.splice(0)).toEqual([good])
  })

  test('is not asked again where that cannot help', async () => {
    using client = clientOf(new SimulatedClock())
    answers.push({ status: 404, body: '' }, good)
    await expect(client.ask(REVIEW, {})).rejects.toThrow('the server could not find the requested resource')
    expect(answers.splice(0)).toEqual([good])
  })
})
