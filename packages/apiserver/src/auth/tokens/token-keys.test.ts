import { expect, test } from 'vitest'
import { TokenKeys, claimsOf } from './token-keys.ts'

const CLAIMS = { iss: 'me', sub: 'you' }

test('a signed token is verified, and has the signed claims', async () => {
  const keys = new TokenKeys()
  const token = await keys.sign(CLAIMS)
  expect(await keys.verify(token)).toEqual(CLAIMS)
  expect(await keys.verify(token)).toEqual(CLAIMS)
  expect(claimsOf(token)).toEqual(CLAIMS)
})

test('a token of other keys, or with other claims, is not accepted', async () => {
  const keys = new TokenKeys()
  const token = await keys.sign(CLAIMS)
  const [head, , signature] = token.split('.')
  const other = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'root' })).toString('base64url')
  expect(await keys.verify(`${head}.${other}.${signature}`)).toBe('wrong signature')
  expect(await new TokenKeys().verify(token)).toBe('unknown key')
})

test('a token that claims to need no signature is not accepted', async () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(await new TokenKeys().verify(`${part({ alg: 'none' })}.${part(CLAIMS)}.`)).toBe('wrong signature')
})

test.each(['', '.', '..', '...', 'a.b.c', '{}', 'é.é.é'])('%j is not a token', async (text) => {
  expect(await new TokenKeys().verify(text)).toBe('malformed')
})

test.each([
  [
    'RS256',
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: Uint8Array.of(1, 0, 1),
      hash: 'SHA-256',
    },
  ],
  ['ES256', { name: 'ECDSA', namedCurve: 'P-256' }],
  ['ES384', { name: 'ECDSA', namedCurve: 'P-384' }],
  ['ES512', { name: 'ECDSA', namedCurve: 'P-521' }],
] as const)('%s keys sign tokens, which a server with the public key verifies', async (name, type) => {
  const pair = await crypto.subtle.generateKey(type, true, ['sign', 'verify'])
  const signer = new TokenKeys(await jwk(pair.privateKey))
  const token = await signer.sign(CLAIMS)
  expect((await signer.jwks()).algorithms).toEqual([name])
  const reader = new TokenKeys(undefined, [await jwk(pair.publicKey)])
  expect(await reader.verify(token)).toEqual(CLAIMS)
  expect((await reader.jwks()).keys).toHaveLength(2)
})

test('published keys contain no private part', async () => {
  const { keys } = await new TokenKeys().jwks()
  expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']])
})

test('a key that cannot sign is reported with its type', async () => {
  await expect(new TokenKeys({ kty: 'OKP', crv: 'Ed25519' }).sign(CLAIMS)).rejects.toThrow(
    'a key of type OKP Ed25519 cannot sign tokens',
  )
})

type Key = Parameters<typeof crypto.subtle.exportKey>[1]

function jwk(key: Key): Promise<Record<string, string>> {
  return crypto.subtle.exportKey('jwk', key) as Promise<Record<string, string>>
}
