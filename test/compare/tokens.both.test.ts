import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'
import { transcript, type Step } from './transcript.ts'

const RBAC = '/apis/rbac.authorization.k8s.io/v1'
const WHO = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const REVIEW = '/apis/authentication.k8s.io/v1/tokenreviews'

let server: TestServer
let core: string
beforeAll(async () => {
  server = await startTestServer()
  core = `/api/v1/namespaces/${server.namespace}`
  for (const name of ['robot', 'gone']) {
    await server.call('POST', `${core}/serviceaccounts`, { body: { metadata: { name } } })
  }
})
afterAll(async () => {
  for (const plural of ['clusterroles', 'clusterrolebindings']) {
    await server?.call('DELETE', `${RBAC}/${plural}/access-${server.namespace}`)
  }
  await server?.close()
})

async function tokenOf(account: string, spec: object = {}): Promise<string> {
  const { status, body } = await server.call('POST', `${core}/serviceaccounts/${account}/token`, {
    body: { spec },
  })
  expect(status).toBe(201)
  return body.status.token
}

/** Why a token is not accepted, as soon as it is not: a real server learns of a deletion by its watches. */
async function refusalOf(token: string): Promise<string> {
  let refusal = ''
  await server.until('the end of the token', async () => {
    const { body } = await server.call('POST', REVIEW, { body: { spec: { token } } })
    refusal = body.status.error ?? ''
    return refusal !== ''
  })
  return refusal
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

test('a token lets its ServiceAccount in', async () => {
  const token = await tokenOf('robot')
  const { status, body } = await server.call('POST', WHO, { body: {}, ...bearer(token) })
  expect(status).toBe(201)
  expect(body.status.userInfo).toEqual({
    username: `system:serviceaccount:${server.namespace}:robot`,
    uid: expect.any(String),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${server.namespace}`, 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)] },
  })
})

test('a token says what it is', async () => {
  const token = await tokenOf('robot', { audiences: ['a', 'b'], expirationSeconds: 600 })
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
  expect(claims).toMatchObject({
    aud: ['a', 'b'],
    iss: 'https://kubernetes.default.svc',
    sub: `system:serviceaccount:${server.namespace}:robot`,
    'kubernetes.io': { namespace: server.namespace, serviceaccount: { name: 'robot' } },
  })
  expect(claims.exp - claims.iat).toBe(600)
  expect(claims.nbf).toBe(claims.iat)
})

test('a token for other audiences is not accepted, and its review names them', async () => {
  const token = await tokenOf('robot', { audiences: ['a', 'b'] })
  expect((await server.call('GET', '/healthz', bearer(token))).status).toBe(401)
  const mine = await server.call('POST', REVIEW, { body: { spec: { token } } })
  expect(mine.body.status).toEqual({
    user: {},
    error:
      '[invalid bearer token, token audiences ["a" "b"] is invalid for the target audiences ["https://kubernetes.default.svc"]]',
  })
  const theirs = await server.call('POST', REVIEW, { body: { spec: { token, audiences: ['b', 'c'] } } })
  expect(theirs.body.status).toMatchObject({ authenticated: true, audiences: ['b'] })
})

test('a token with a changed signature authenticates no user', async () => {
  const token = await tokenOf('robot')
  const changed = `${token.slice(0, -6)}${token.at(-6) === 'A' ? 'B' : 'A'}${token.slice(-5)}`
  expect((await server.call('GET', '/healthz', bearer(changed))).status).toBe(401)
  const { body } = await server.call('POST', REVIEW, { body: { spec: { token: changed } } })
  expect(body.status.error).toBe('[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]')
})

test('a token ends with the secret that it is bound to', async () => {
  await server.call('POST', `${core}/secrets`, { body: { metadata: { name: 'key' } } })
  const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 'key' }
  const token = await tokenOf('robot', { boundObjectRef })
  await server.call('DELETE', `${core}/secrets/key`)
  const refusal = await refusalOf(token)
  expect(refusal).toBe('[invalid bearer token, service account token has been invalidated]')
})

test('a token ends with its ServiceAccount, also if another of that name comes', async () => {
  const token = await tokenOf('gone')
  await server.call('DELETE', `${core}/serviceaccounts/gone`)
  expect(await refusalOf(token)).toBe('[invalid bearer token, serviceaccounts "gone" not found]')
  await server.call('POST', `${core}/serviceaccounts`, { body: { metadata: { name: 'gone' } } })
  expect((await server.call('GET', '/healthz', bearer(token))).status).toBe(401)
})

test('the keys of tokens are published to ServiceAccounts', async () => {
  const token = await tokenOf('robot')
  const discovery = await server.call('GET', '/.well-known/openid-configuration', bearer(token))
  expect(discovery.headers['content-type']).toBe('application/json')
  expect(discovery.body).toMatchObject({
    issuer: 'https://kubernetes.default.svc',
    jwks_uri: expect.stringMatching(/\/openid\/v1\/jwks$/),
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
  })
  const keys = await server.call('GET', '/openid/v1/jwks', { accept: '*/*', ...bearer(token) })
  expect(keys.headers['content-type']).toBe('application/jwk-set+json')
  const { kid } = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString())
  expect((await server.call('GET', '/openid/v1/jwks', bearer(token))).body).toMatchObject({
    code: 406,
    message: '406: Not Acceptable\n\nAvailable representations: application/jwk-set+json',
  })
  expect(JSON.parse(keys.body).keys).toEqual([expect.objectContaining({ kid, use: 'sig' })])
})

test('acting as another without the right is refused as Kubernetes does', async () => {
  const authorization = `Bearer ${await tokenOf('robot')}`
  const as = (user: string, more: Record<string, string> = {}) => ({
    headers: { authorization, 'impersonate-user': user, ...more },
  })
  const path = '/api/v1/~/pods'
  const steps: Step[] = [
    { say: 'a user', method: 'GET', path, ...as('jane') },
    { say: 'a user in a group', method: 'GET', path, ...as('jane', { 'impersonate-group': 'ops' }) },
    { say: 'a master', method: 'GET', path, ...as('jane', { 'impersonate-group': 'system:masters' }) },
    { say: 'a ServiceAccount', method: 'GET', path, ...as('system:serviceaccount:a:b') },
    {
      say: 'a ServiceAccount in a group',
      method: 'GET',
      path,
      ...as('system:serviceaccount:a:b', { 'impersonate-group': 'ops' }),
    },
    { say: 'a node', method: 'GET', path, ...as('system:node:n1') },
    { say: 'a path as a user', method: 'GET', path: '/healthz', ...as('jane') },
  ]
  const file = new URL('recorded/access-as-another-without-the-right.json', import.meta.url)
  await expect(await transcript(server, steps)).toMatchFileSnapshot(file.pathname)
})

test('acting as another with the right is allowed as far as it goes', async () => {
  const name = `access-${server.namespace}`
  const rules = [
    { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['jane'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['uids'], verbs: ['impersonate'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['userextras/team'], verbs: ['impersonate'] },
    // The constrained kind: as john, and then only to read pods.
    {
      apiGroups: ['authentication.k8s.io'],
      resources: ['users'],
      verbs: ['impersonate:user-info'],
      resourceNames: ['john'],
    },
    { apiGroups: [''], resources: ['pods'], verbs: ['impersonate-on:user-info:list'] },
  ]
  await server.call('POST', `${RBAC}/clusterroles`, { body: { metadata: { name }, rules } })
  const subject = { kind: 'ServiceAccount', name: 'robot', namespace: server.namespace }
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name }
  await server.call('POST', `${RBAC}/clusterrolebindings`, {
    body: { metadata: { name }, subjects: [subject], roleRef },
  })
  const authorization = `Bearer ${await tokenOf('robot')}`
  const as = (user: string, more: Record<string, string> = {}) => ({
    headers: { authorization, 'impersonate-user': user, ...more },
  })
  await server.until('the binding’s effect', async () => {
    return (await server.call('POST', WHO, { body: {}, ...as('jane') })).status === 201
  })
  const path = '/api/v1/~/pods'
  const steps: Step[] = [
    { say: 'jane may not read pods', method: 'GET', path, ...as('jane') },
    { say: 'who is jane', method: 'POST', path: WHO, body: {}, ...as('jane', { 'impersonate-uid': '1' }) },
    { say: 'jane in a team', method: 'GET', path, ...as('jane', { 'impersonate-extra-team': 'a' }) },
    { say: 'jane in a group', method: 'GET', path, ...as('jane', { 'impersonate-group': 'ops' }) },
    { say: 'john may not read pods', method: 'GET', path, ...as('john') },
    { say: 'who is john', method: 'POST', path: WHO, body: {}, ...as('john') },
  ]
  const file = new URL('recorded/access-as-another-with-the-right.json', import.meta.url)
  await expect(await transcript(server, steps)).toMatchFileSnapshot(file.pathname)
})
