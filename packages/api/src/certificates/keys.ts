import { bitString, integer, objectIdentifier, sequence, type Der } from './der.ts'
import { pem } from './pem.ts'

export const KEY_TYPE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'

/** A key pair of Web Crypto. */
export type Keys = Awaited<ReturnType<typeof newKeys>>

export function newKeys() {
  return crypto.subtle.generateKey(KEY_TYPE, true, ['sign', 'verify'])
}

/** The public key, with its type. */
export async function publicKeyOf({ publicKey }: Keys): Promise<Der> {
  return new Uint8Array(await crypto.subtle.exportKey('spki', publicKey))
}

/** The private key, in PEM. */
export async function privateKeyPem({ privateKey }: Keys): Promise<string> {
  return pem('PRIVATE KEY', new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey)))
}

/** The algorithm of the signatures of {@link signedBy}. */
export const ALGORITHM: Der = sequence(objectIdentifier(ECDSA_WITH_SHA256))

/** A value with the signature of a key. */
export async function signedBy(keys: Keys, body: Der): Promise<Der> {
  const signature = new Uint8Array(await crypto.subtle.sign(SIGNATURE, keys.privateKey, new Uint8Array(body)))
  const half = signature.length / 2
  const pair = sequence(integer(signature.subarray(0, half)), integer(signature.subarray(half)))
  return sequence(body, ALGORITHM, bitString(pair))
}
