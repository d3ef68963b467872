import { HomeostatError } from '@homeostat/api'
import type { JsonObject } from '../../schema/index.ts'
import { fromBase64Url, objectFromBase64Url, toBase64Url } from './base64url.ts'
import { removeSpace } from '../white-space/white-space.ts'

/** A key in the form of RFC 7517: private with `d`, else public. RSA, or elliptic with P-256, P-384 or P-521. */
export interface TokenKey {
  readonly kty?: string | undefined
  readonly crv?: string | undefined
  readonly n?: string | undefined
  readonly e?: string | undefined
  readonly x?: string | undefined
  readonly y?: string | undefined
  readonly d?: string | undefined
  readonly [more: string]: unknown
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** How a key of one type signs. */
interface Algorithm {
  readonly name: 'RS256' | 'ES256' | 'ES384' | 'ES512'
  readonly key: { name: string; hash?: string; namedCurve?: string }
  readonly signature: { name: string; hash?: string }
}

interface PublicKey {
  readonly id: string
  readonly algorithm: Algorithm
  readonly key: Key
  readonly jwk: JsonObject
}

/** Why a token is not verified: it is not a token, names a key that is not known, or no key has signed it. */
export type Unverified = 'malformed' | 'unknown key' | 'wrong signature'

interface KeySet {
  readonly sign: Key
  /** The public half of the key that signs. */
  readonly own: PublicKey
  readonly all: readonly PublicKey[]
}

const RSA: Algorithm = {
  name: 'RS256',
  key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  signature: { name: 'RSASSA-PKCS1-v1_5' },
}
const elliptic = (name: Algorithm['name'], namedCurve: string, hash: string): Algorithm => ({
  name,
  key: { name: 'ECDSA', namedCurve },
  signature: { name: 'ECDSA', hash },
})
const BY_CURVE: ReadonlyMap<string, Algorithm> = new Map([
  ['P-256', elliptic('ES256', 'P-256', 'SHA-256')],
  ['P-384', elliptic('ES384', 'P-384', 'SHA-384')],
  ['P-521', elliptic('ES512', 'P-521', 'SHA-512')],
])

const encoder = new TextEncoder()
/** The number of verified tokens that are cached. */
const MOST_REMEMBERED = 1_000

/**
 * The keys with which the server signs and verifies its tokens. They are generated or parsed on first use, so that a
 * server that issues no token pays nothing.
 */
export class TokenKeys {
  readonly #signing: TokenKey | undefined
  readonly #others: readonly TokenKey[]
  #keys: Promise<KeySet> | undefined
  /** The claims of verified tokens. A signature stays valid, whatever happens to the objects that it names. */
  readonly #verified = new Map<string, JsonObject>()

  /** Without a signing key it creates one. `others` are further public keys whose tokens are accepted. */
  constructor(signing?: TokenKey, others: readonly TokenKey[] = []) {
    this.#signing = signing
    this.#others = others
  }

  /** Signs claims as a token. */
  async sign(claims: JsonObject): Promise<string> {
    const { sign, own } = await this.#ready()
    const text = `${encode({ alg: own.algorithm.name, kid: own.id })}.${encode(claims)}`
    const signature = await crypto.subtle.sign(own.algorithm.signature, sign, encoder.encode(text))
    return `${text}.${toBase64Url(new Uint8Array(signature))}`
  }

  /** The claims of a token, or why it cannot be verified. As in Kubernetes, space in the token does not count. */
  async verify(text: string): Promise<JsonObject | Unverified> {
    const token = removeSpace(text)
    const known = this.#verified.get(token)
    if (known) return known
    const [head = '', body = '', signed = ''] = token.split('.')
    const header = objectFromBase64Url(head)
    const claims = objectFromBase64Url(body)
    const signature = fromBase64Url(signed)
    if (!header || !claims || !signature) return 'malformed'
    const { all } = await this.#ready()
    const meant = header['kid'] ? all.filter(({ id }) => id === header['kid']) : all
    if (meant.length === 0) return 'unknown key'
    for (const { algorithm, key } of meant) {
      if (header['alg'] !== algorithm.name) continue
      const signedText = encoder.encode(`${head}.${body}`)
      if (!(await crypto.subtle.verify(algorithm.signature, key, signature, signedText))) continue
      if (this.#verified.size >= MOST_REMEMBERED) this.#verified.clear()
      this.#verified.set(token, claims)
      return claims
    }
    return 'wrong signature'
  }

  /** The public keys, for others to check tokens with. */
  async jwks(): Promise<{ keys: JsonObject[]; algorithms: string[] }> {
    const { all } = await this.#ready()
    return {
      keys: all.map(({ jwk }) => jwk),
      algorithms: [...new Set(all.map(({ algorithm }) => algorithm.name))].sort(),
    }
  }

  #ready(): Promise<KeySet> {
    return (this.#keys ??= this.#load())
  }

  async #load(): Promise<KeySet> {
    const signing = this.#signing ?? (await newKey())
    const algorithm = algorithmOf(signing)
    const sign = await crypto.subtle.importKey('jwk', { ...signing }, algorithm.key, false, ['sign'])
    const own = await publicKey(signing)
    const others = await Promise.all(this.#others.map(publicKey))
    const all = [own, ...others.filter(({ id }) => id !== own.id)]
    return { sign, own, all }
  }
}

/** The claims of a token whose signature is not verified yet; undefined for other texts. */
export function claimsOf(token: string): JsonObject | undefined {
  const parts = token.split('.')
  return parts.length === 3 ? objectFromBase64Url(parts[1] ?? '') : undefined
}

async function newKey(): Promise<TokenKey> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  return (await crypto.subtle.exportKey('jwk', pair.privateKey)) as TokenKey
}

function algorithmOf(key: TokenKey): Algorithm {
  const algorithm = key.kty === 'RSA' ? RSA : key.kty === 'EC' ? BY_CURVE.get(key.crv ?? '') : undefined
  if (algorithm) return algorithm
  const found = [key.kty, key.crv].filter(Boolean).join(' ') || 'unknown'
  const message = `a key of type ${found} cannot sign tokens: give an RSA key, or an elliptic curve key of P-256, P-384 or P-521`
  throw new HomeostatError('TOKEN_KEY_UNSUPPORTED', message)
}

async function publicKey({ kty, crv, n, e, x, y, ...rest }: TokenKey): Promise<PublicKey> {
  const algorithm = algorithmOf({ ...rest, kty, crv })
  const numbers = kty === 'RSA' ? { n, e } : { x, y }
  const curve = crv === undefined ? {} : { crv }
  const jwk = { kty, ...curve, ...numbers }
  const key = await crypto.subtle.importKey('jwk', jwk as TokenKey, algorithm.key, true, ['verify'])
  const spki = await crypto.subtle.exportKey('spki', key)
  const id = toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', spki)))
  return {
    id,
    algorithm,
    key,
    jwk: { use: 'sig', kty, kid: id, ...curve, alg: algorithm.name, ...numbers },
  }
}

function encode(part: JsonObject): string {
  return toBase64Url(encoder.encode(JSON.stringify(part)))
}
