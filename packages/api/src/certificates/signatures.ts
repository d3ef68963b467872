import type { Der } from './der.ts'
import { identifierOf, partsOf, readValues } from './der-reader.ts'

const RSA = 'RSASSA-PKCS1-v1_5'
/** The algorithms by which requests are signed, as Web Crypto names them. Older ones are not safe. */
const ALGORITHMS: Readonly<Record<string, { readonly name: string; readonly hash: string } | undefined>> = {
  '1.2.840.113549.1.1.11': { name: RSA, hash: 'SHA-256' },
  '1.2.840.113549.1.1.12': { name: RSA, hash: 'SHA-384' },
  '1.2.840.113549.1.1.13': { name: RSA, hash: 'SHA-512' },
  '1.2.840.10045.4.3.2': { name: 'ECDSA', hash: 'SHA-256' },
  '1.2.840.10045.4.3.3': { name: 'ECDSA', hash: 'SHA-384' },
  '1.2.840.10045.4.3.4': { name: 'ECDSA', hash: 'SHA-512' },
  '1.3.101.112': { name: 'Ed25519', hash: '' },
}
const CURVES: Readonly<Record<string, { readonly namedCurve: string; readonly bytes: number } | undefined>> =
  {
    '1.2.840.10045.3.1.7': { namedCurve: 'P-256', bytes: 32 },
    '1.3.132.0.34': { namedCurve: 'P-384', bytes: 48 },
    '1.3.132.0.35': { namedCurve: 'P-521', bytes: 66 },
  }

/** Whether the signature of the bytes was made with the private key of a public one. False for algorithms that are not known. */
export async function isSignedBy(
  publicKey: Der,
  algorithm: string,
  bytes: Der,
  signature: Der,
): Promise<boolean> {
  const known = ALGORITHMS[algorithm]
  if (!known) return false
  try {
    const curve = known.name === 'ECDSA' ? CURVES[curveOf(publicKey)] : undefined
    const type = { ...known, ...(curve && { namedCurve: curve.namedCurve }) }
    const key = await crypto.subtle.importKey('spki', new Uint8Array(publicKey), type, false, ['verify'])
    const raw = curve ? rawSignature(signature, curve.bytes) : signature
    return await crypto.subtle.verify(type, key, new Uint8Array(raw), new Uint8Array(bytes))
  } catch {
    // A key of another type than the algorithm's, or a signature that is not in its form.
    return false
  }
}

function curveOf(publicKey: Der): string {
  const [type] = partsOf(readValues(publicKey)[0])
  return identifierOf(partsOf(type)[1])
}

/** Both numbers of a signature, each with as many bytes as the curve has, as Web Crypto requires. */
function rawSignature(signature: Der, length: number): Der {
  const raw = new Uint8Array(2 * length)
  for (const [index, { content }] of partsOf(readValues(signature)[0]).entries()) {
    const digits = content.subarray(Math.max(0, content.length - length))
    raw.set(digits, (index + 1) * length - digits.length)
  }
  return raw
}
