import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ANONYMOUS } from '../conformance/anonymous.ts'
import { startOperated, type OperatedServer } from '../operations/operated-server.ts'
import { TokenIssuer } from './token-issuer.ts'

const REVIEWS = '/apis/authentication.k8s.io/v1/tokenreviews'
const HOUR = 3600

function configuration({ url, certificateAuthority }: TokenIssuer): object {
  const issuer = (path: string, more: object = {}) => ({
    url: `${url}/${path}`,
    certificateAuthority,
    audiences: ['one'],
    ...more,
  })
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: issuer('plain'),
        claimMappings: {
          username: { claim: 'sub', prefix: 'plain:' },
          groups: { claim: 'groups', prefix: 'g:' },
          uid: { claim: 'id' },
        },
      },
      {
        issuer: issuer('cel', { audiences: ['one', 'two'], audienceMatchPolicy: 'MatchAny' }),
        claimValidationRules: [
          { claim: 'env', requiredValue: 'prod' },
          { expression: 'claims.exp - claims.iat <= 86400.0', message: 'lives too long' },
        ],
        claimMappings: {
          username: { expression: "claims.?name.orValue('') == '' ? '' : 'cel:' + claims.name" },
          groups: { expression: 'claims.?roles.orValue([])' },
          uid: { expression: "claims.name + '-id'" },
          extra: [
            { key: 'example.com/tenant', valueExpression: "claims.?tenant.orValue('')" },
            { key: 'example.com/list', valueExpression: 'claims.?list.orValue([])' },
            { key: 'example.com/nested', valueExpression: "claims.?org.?example__dot__com.orValue('')" },
          ],
        },
        userValidationRules: [
          { expression: "!user.username.startsWith('cel:system:')", message: 'reserved' },
          { expression: "user.groups.all(group, group != 'root')", message: 'no roots' },
        ],
      },
      { issuer: issuer('email'), claimMappings: { username: { claim: 'email', prefix: '' } } },
      { issuer: issuer('typed'), claimMappings: { username: { expression: 'claims.who' } } },
      { issuer: issuer('silent'), claimMappings: { username: { claim: 'sub', prefix: '' } } },
      {
        issuer: {
          ...issuer('moved'),
          url: 'https://issuer.example',
          discoveryURL: `${url}/elsewhere/.well-known/openid-configuration`,
        },
        claimMappings: { username: { claim: 'sub', prefix: '' } },
      },
    ],
    anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/healthz' }] },
  }
}

let folder: string
let issuer: TokenIssuer
let server: OperatedServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-authentication-'))
  issuer = await TokenIssuer.start()
  const authentication = configuration(issuer)
  const file = join(folder, 'authentication.yaml')
  writeFileSync(file, JSON.stringify(authentication))
  server = await startOperated([`--authentication-config=${file}`], { authentication })
  // A server asks each issuer at its own time.
  for (const path of ['plain', 'cel', 'email', 'typed', 'moved']) {
    await vi.waitUntil(async () => !/not initialized/.test((await review(token(path))).error ?? ''), {
      timeout: 60_000,
      interval: 100,
    })
  }
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await issuer?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

function token(path: string, claims: object = {}, kid?: string): string {
  const now = Math.floor(Date.now() / 1000)
  const iss = path === 'moved' ? 'https://issuer.example' : `${issuer.url}/${path}`
  const times = { iat: now, exp: now + HOUR }
  return issuer.token({ iss, aud: 'one', sub: 'jane', ...times, ...claims }, kid)
}

async function review(text: string, audiences?: string[]): Promise<any> {
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: text, audiences },
  }
  return JSON.parse((await server.ask('POST', REVIEWS, { body })).text).status
}

const now = (): number => Math.floor(Date.now() / 1000)
const cel = { name: 'ada', env: 'prod' }

/** Tokens by what is special about them. */
const tokens: Readonly<Record<string, () => string>> = {
  'has the claims that are mapped': () => token('plain', { id: 'u1', groups: ['a', 'b'], jti: 'token-1' }),
  'has one group as a text': () => token('plain', { id: 'u1', groups: 'a' }),
  'has no groups': () => token('plain', { id: 'u1' }),
  'has empty groups': () => token('plain', { id: 'u1', groups: [] }),
  'has groups of another type': () => token('plain', { id: 'u1', groups: 5 }),
  'has groups among other things': () => token('plain', { id: 'u1', groups: ['a', 5] }),
  'lacks the claim of the name': () => token('plain', { sub: undefined, id: 'u1' }),
  'has a number as the name': () => token('plain', { sub: 5, id: 'u1' }),
  'lacks the claim of the uid': () => token('plain'),
  'has a list as the uid': () => token('plain', { id: ['x'] }),
  'is for another audience': () => token('plain', { aud: 'two' }),
  'is for several audiences': () => token('plain', { id: 'u1', aud: ['two', 'one'] }),
  'is for no audience': () => token('plain', { aud: undefined }),
  'has expired': () => token('plain', { exp: 1_600_000_000 }),
  'does not expire': () => token('plain', { exp: undefined }),
  'is valid in a moment': () => token('plain', { id: 'u1', nbf: now() + 30 }),
  'is signed by another key': () => token('plain', {}, 'forged'),
  'is signed by an elliptic key': () => token('plain', { id: 'u1' }, 'elliptic'),
  'is signed with PSS': () => token('plain', { id: 'u1' }, 'pss'),
  'has another algorithm': () => {
    const text = Buffer.from(JSON.stringify({ alg: 'HS256' })).toString('base64url')
    return token('plain').replace(/^[^.]+/, text)
  },
  'has a changed signature': () => `${token('plain').slice(0, -8)}AAAAAAAA`,
  'is of an unknown issuer': () => token('unknown'),
  'is of an issuer that does not answer': () => token('silent'),
  'is of an issuer whose documents are elsewhere': () => token('moved'),
  'has what expressions ask for': () =>
    token('cel', {
      ...cel,
      roles: ['dev', '', 'ops'],
      tenant: 't',
      list: ['x', 'y'],
      org: { 'example.com': 'dotted' },
    }),
  'has a text where expressions take lists': () => token('cel', { ...cel, roles: 'dev' }),
  'has a number where expressions take texts': () => token('cel', { ...cel, roles: 5 }),
  'has numbers where expressions take texts': () => token('cel', { ...cel, roles: ['a', 5] }),
  'has a number for an attribute': () => token('cel', { ...cel, tenant: 5 }),
  'has an empty name by expression': () => token('cel', { env: 'prod', name: '' }),
  'has a name of another type by expression': () => token('typed', { who: 5 }),
  'has no name for an expression': () => token('typed'),
  'is for one of two audiences': () => token('cel', { ...cel, aud: ['two'] }),
  'is for neither of two audiences': () => token('cel', { ...cel, aud: ['three'] }),
  'lacks a required claim': () => token('cel', { name: 'ada' }),
  'has another value of a required claim': () => token('cel', { name: 'ada', env: 'test' }),
  'has a number as a required claim': () => token('cel', { name: 'ada', env: 5 }),
  'breaks a rule about claims': () => token('cel', { ...cel, exp: now() + 48 * HOUR }),
  'breaks a rule about the name': () => token('cel', { ...cel, name: 'system:node' }),
  'breaks a rule about groups': () => token('cel', { ...cel, roles: ['dev', 'root'] }),
  'has a verified email': () => token('email', { email: 'a@example.com', email_verified: true }),
  'has an email that is not verified': () =>
    token('email', { email: 'a@example.com', email_verified: false }),
  'says nothing about its email': () => token('email', { email: 'a@example.com' }),
  'says something else about its email': () =>
    token('email', { email: 'a@example.com', email_verified: 'yes' }),
}

describe('a token that', () => {
  test.for(Object.entries(tokens))('%s', async ([title, make]) => {
    const text = JSON.stringify(await review(make()), undefined, 2).replaceAll(issuer.url, 'ISSUER')
    const file = `recorded/issued/${title.replaceAll(' ', '-')}.json`
    await expect(`${text}\n`).toMatchFileSnapshot(new URL(file, import.meta.url).pathname)
  })

  test('is for this server is not for others', async () => {
    const { error } = await review(token('moved'), ['others'])
    expect(error).toBe('invalid bearer token')
    expect(await review(token('moved'), ['https://kubernetes.default.svc', 'x'])).toMatchObject({
      authenticated: true,
      audiences: ['https://kubernetes.default.svc'],
    })
  })

  test('a new key has signed is accepted', async () => {
    issuer.addKey('next')
    expect(await review(token('moved', {}, 'next'))).toMatchObject({ authenticated: true })
  })

  test('logs in', async () => {
    const headers = { authorization: `Bearer ${token('plain', { id: 'u1', groups: ['a'] })}` }
    const { status, text } = await server.ask('GET', '/api/v1/namespaces', { headers })
    expect(status).toBe(403)
    expect(JSON.parse(text).message).toBe(
      'namespaces is forbidden: User "plain:jane" cannot list resource "namespaces" in API group "" at the cluster scope',
    )
  })
})

describe('an anonymous request', () => {
  test.for([
    ['/livez', 200],
    ['/livez?verbose', 200],
    ['/healthz', 200],
    ['/livez/ping', 401],
    ['/readyz', 401],
    ['/version', 401],
    ['/api/v1/namespaces', 401],
  ] as const)('for %s is answered with %i', async ([path, code]) => {
    const { status } = await server.ask('GET', path, { headers: { authorization: ANONYMOUS } })
    expect(status).toBe(code)
  })
})
