import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestEnvironment } from '../../testing/index.ts'

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews'

let env: TestEnvironment
beforeEach(async () => {
  env = await TestEnvironment.start()
  await env.call('POST', ACCOUNTS, { body: { metadata: { name: 'robot' } } })
})
afterEach(() => env.close())

async function tokenFor(spec: object = {}): Promise<string> {
  const { code, body } = await env.call('POST', `${ACCOUNTS}/robot/token`, { body: { spec } })
  expect(code, body.message).toBe(201)
  return body.status.token
}
const who = (token: string) =>
  env.call('POST', WHO, { body: {}, headers: { authorization: `Bearer ${token}` } })
const problemOf = async (token: string): Promise<string> =>
  (await env.call('POST', REVIEWS, { body: { spec: { token } } })).body.status.error

test('a token expires a minute after its time, by the server’s clock', async () => {
  const token = await tokenFor({ expirationSeconds: 600 })
  await env.advance('11m')
  expect((await who(token)).code).toBe(201)
  await env.advance('2s')
  expect((await who(token)).code).toBe(401)
  expect(await problemOf(token)).toBe('[invalid bearer token, service account token has expired]')
})

test('a token for a kubelet is valid for a year', async () => {
  await env.call('POST', '/api/v1/namespaces/default/pods', {
    body: {
      metadata: { name: 'p' },
      spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
    },
  })
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p' }
  const token = await tokenFor({ boundObjectRef, expirationSeconds: 3607 })
  const claims = JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')))
  expect(claims.exp - claims.iat).toBe(365 * 24 * 3600)
  expect(claims['kubernetes.io'].warnafter - claims.iat).toBe(3607)
  expect((await who(token)).body.status.userInfo.extra).toMatchObject({
    'authentication.kubernetes.io/pod-name': ['p'],
  })
  await env.call('DELETE', '/api/v1/namespaces/default/pods/p')
  expect(await problemOf(token)).toBe('[invalid bearer token, service account token has been invalidated]')
})

test('a token ends with its ServiceAccount', async () => {
  const token = await tokenFor()
  await env.call('DELETE', `${ACCOUNTS}/robot`)
  expect((await who(token)).code).toBe(401)
  await env.call('POST', ACCOUNTS, { body: { metadata: { name: 'robot' } } })
  expect(await problemOf(token)).toMatch(/service account UID \(.*\) does not match claim \(.*\)/)
})

test('a token of another server authenticates no user here', async () => {
  await using other = await TestEnvironment.start()
  await other.call('POST', ACCOUNTS, { body: { metadata: { name: 'robot' } } })
  const { body } = await other.call('POST', `${ACCOUNTS}/robot/token`, { body: {} })
  expect((await who(body.status.token)).code).toBe(401)
})

test('servers with one key accept each other’s tokens', async () => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const signingKey = (await crypto.subtle.exportKey('jwk', pair.privateKey)) as Record<string, string>
  const start = () => TestEnvironment.start({ serviceAccounts: { signingKey, issuer: 'https://me' } })
  await using one = await start()
  await using two = await start()
  for (const each of [one, two]) await each.call('POST', ACCOUNTS, { body: { metadata: { name: 'robot' } } })
  const { body } = await one.call('POST', `${ACCOUNTS}/robot/token`, { body: {} })
  expect(body.spec.audiences).toEqual(['https://me'])
  const headers = { authorization: `Bearer ${body.status.token}` }
  // Both make the same uids, since their clocks have one seed.
  expect((await two.call('POST', WHO, { body: {}, headers })).code).toBe(201)
})

test('a server limits the length of tokens, and says so', async () => {
  await using own = await TestEnvironment.start({
    serviceAccounts: { maxExpirationSeconds: 3600, extendExpiration: false, audiences: ['here'] },
  })
  await own.call('POST', ACCOUNTS, { body: { metadata: { name: 'robot' } } })
  const { body, headers } = await own.call('POST', `${ACCOUNTS}/robot/token`, {
    body: { spec: { expirationSeconds: 7200 } },
  })
  expect(body.spec).toMatchObject({ expirationSeconds: 3600, audiences: ['here'] })
  expect(headers['warning']).toBe('299 - "requested expiration of 7200 seconds shortened to 3600 seconds"')
})
