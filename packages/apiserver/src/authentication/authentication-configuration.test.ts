import { describe, expect, it } from 'vitest'
import { readConfiguration } from './authentication-configuration.ts'

const ISSUER = { url: 'https://issuer.example', audiences: ['me'] }
const NAME = { username: { claim: 'sub', prefix: '' } }
const read = (jwt: object[], more: object = {}) =>
  readConfiguration(
    { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthenticationConfiguration', jwt, ...more },
    ['https://kubernetes.default.svc'],
  )
const one = (more: object) => [{ issuer: ISSUER, claimMappings: NAME, ...more }]
const issuer = (more: object) => one({ issuer: { ...ISSUER, ...more } })
const mapped = (more: object) => one({ claimMappings: { ...NAME, ...more } })

it('reads an issuer', () => {
  expect(read(one({})).issuers).toMatchObject([
    { url: 'https://issuer.example', audiences: ['me'], username: { claim: 'sub', prefix: '' } },
  ])
})

it.each<[string, unknown, string]>([
  ['all', undefined, '/any'],
  ['all', { enabled: true }, '/any'],
  ['none', { enabled: false }, ''],
])('allows %s anonymous requests with %j', (expected, anonymous) => {
  expect(read([], { anonymous }).anonymous).toBe(expected)
})

describe('refuses', () => {
  it.each<[string, object[], string]>([
    ['no issuer', one({ issuer: {} }), 'jwt[0].issuer.url: Required value'],
    ['no audience', issuer({ audiences: [] }), 'at least one jwt[0].issuer.audiences is required'],
    ['a URL without TLS', issuer({ url: 'http://x' }), 'URL scheme must be https'],
    ['a URL with a query', issuer({ url: 'https://x?y' }), 'URL must not contain a query'],
    [
      'the issuer of ServiceAccounts',
      issuer({ url: 'https://kubernetes.default.svc' }),
      'URL must not overlap with disallowed issuers: [https://kubernetes.default.svc]',
    ],
    ['an issuer twice', [...one({}), ...one({})], 'jwt[1].issuer.url: Duplicate value'],
    [
      'several audiences without a policy',
      issuer({ audiences: ['a', 'b'] }),
      'audienceMatchPolicy must be MatchAny for multiple audiences',
    ],
    ['an invalid authority', issuer({ certificateAuthority: 'x' }), '<omitted>'],
    ['an egress selector', issuer({ egressSelectorType: 'cluster' }), 'no egress selectors'],
    ['no name', mapped({ username: {} }), 'claimMappings.username: Required value: claim or expression'],
    [
      'a claim without a prefix',
      mapped({ username: { claim: 'sub' } }),
      'prefix is required when claim is set',
    ],
    [
      'an expression of another type',
      one({ claimValidationRules: [{ expression: "'a'" }] }),
      'must evaluate to bool',
    ],
    [
      'an expression that does not compile',
      mapped({ username: { expression: 'claims.' } }),
      'compilation failed: ERROR',
    ],
    [
      'a rule about a field that users do not have',
      one({ userValidationRules: [{ expression: 'user.none == 1' }] }),
      "undefined field 'none'",
    ],
    [
      'an email that is not checked',
      mapped({ username: { expression: 'claims.email' } }),
      'claims.email_verified must be used',
    ],
    [
      'a key of Kubernetes',
      mapped({ extra: [{ key: 'x.k8s.io/a', valueExpression: "'b'" }] }),
      'reserved for Kubernetes use',
    ],
    ['an unknown field', one({ more: 1 }), 'strict decoding error: unknown field "jwt[0].more"'],
  ])('%s', (_, jwt, message) => {
    expect(() => read(jwt)).toThrow(
      expect.objectContaining({
        code: 'AUTHENTICATION_CONFIGURATION_INVALID',
        message: expect.stringContaining(message),
      }),
    )
  })

  it('another kind', () => {
    expect(() => readConfiguration({ kind: 'Config' }, [])).toThrow('AuthenticationConfiguration')
  })
})
