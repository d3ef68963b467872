import { fromBase64Url, objectFromBase64Url } from '../auth/index.ts'
import { type JsonObject, quote, textOf } from '../schema/index.ts'
import { TokenProblem } from './token-problem.ts'

/** The algorithms of signatures that can be verified. */
export const ALGORITHMS = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']

/** A public key in the form of RFC 7517. */
export type WebKey = JsonObject

/** A token whose signature is not verified yet. */
export interface SignedToken {
  readonly header: JsonObject
  readonly claims: JsonObject
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }
const encoder = new TextEncoder()

/** Reads a token in its compact form; undefined for other texts. */
export function readToken(token: string): SignedToken | undefined {
  const [head, body, signed, ...more] = token.split('.')
  if (head === undefined || body === undefined || signed === undefined || more.length > 0) return undefined
  const [header, claims, signature] = [
    objectFromBase64Url(head),
    objectFromBase64Url(body),
    fromBase64Url(signed),
  ]
  if (!header || !claims || !signature) return undefined
  return { header, claims, signature, signed: encoder.encode(`${head}.${body}`) }
}

/** Whether one of the keys has signed a token. Keys with another id are left out. */
export async function isSignedByOne(token: SignedToken, keys: readonly WebKey[]): Promise<boolean> {
  const { header, signed, signature } = token
  const { alg, kid } = header
  if (typeof alg !== 'string') return false
  for (const key of keys) {
    if (kid !== undefined && kid !== '' && key['kid'] !== kid) continue
    const parameters = parametersOf(alg, key)
    if (!parameters) continue
    const known = await importKey(key, parameters)
    if (known && (await crypto.subtle.verify(parameters.verify, known, signature, signed))) return true
  }
  return false
}

/** Fails with a `TokenProblem` where the algorithm is not one of those that are accepted. */
export function checkAlgorithm({ header }: SignedToken, accepted: readonly string[]): void {
  const { alg } = header
  if (typeof alg === 'string' && accepted.includes(alg)) return
  const expected = `[${accepted.map(quote).join(' ')}]`
  throw new TokenProblem(
    `oidc: id token signed with unsupported algorithm, expected ${expected} got ${quote(textOf(alg ?? ''))}`,
  )
}

interface Parameters {
  readonly key: { name: string; hash?: string; namedCurve?: string }
  readonly verify: { name: string; hash?: string; saltLength?: number }
}

function parametersOf(alg: string, { kty, crv }: WebKey): Parameters | undefined {
  if (!ALGORITHMS.includes(alg)) return undefined
  const bits = Number(alg.slice(2))
  const hash = `SHA-${bits}`
  if (alg.startsWith('ES')) {
    const namedCurve = CURVES[alg] ?? ''
    if (kty !== 'EC' || crv !== namedCurve) return undefined
    return { key: { name: 'ECDSA', namedCurve }, verify: { name: 'ECDSA', hash } }
  }
  if (kty !== 'RSA') return undefined
  const name = alg.startsWith('PS') ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
  return { key: { name, hash }, verify: { name, saltLength: bits / 8 } }
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

async function importKey(key: WebKey, { key: parameters }: Parameters): Promise<Key | undefined> {
  const part = (name: string): string => textOf(key[name])
  const kty = part('kty')
  const numbers =
    kty === 'RSA' ? { n: part('n'), e: part('e') } : { crv: part('crv'), x: part('x'), y: part('y') }
  try {
    return await crypto.subtle.importKey('jwk', { kty, ...numbers }, parameters, false, ['verify'])
  } catch {
    return undefined
  }
}
