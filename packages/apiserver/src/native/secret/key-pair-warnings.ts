import type { KeyObject, X509Certificate } from 'node:crypto'
import { type JsonObject, objectOf, textOf } from '../../schema/index.ts'

const BLOCK = /-----BEGIN ([^-\n]+)-----\r?\n[^-]*-----END \1-----/g

/**
 * The warning for a TLS Secret whose key and certificate do not match, with the messages of Go's `tls.X509KeyPair`. In
 * a browser it finds only missing parts, since a browser cannot parse certificates.
 */
export function keyPairWarnings(secret: JsonObject): string[] {
  if (secret['type'] !== 'kubernetes.io/tls') return []
  const data = objectOf(secret['data'])
  const certificate = latin1Of(textOf(data['tls.crt']))
  const key = latin1Of(textOf(data['tls.key']))
  const problem = pairProblem(certificate, key)
  return problem === undefined ? [] : [`tls: ${problem}`]
}

function pairProblem(certificate: string, key: string): string | undefined {
  const certificates = blocksOf(certificate)
  const own = certificates.find(({ type }) => type === 'CERTIFICATE')
  if (!own) return certificateProblem(certificates.map(({ type }) => type))
  const keys = blocksOf(key)
  const ownKey = keys.find(({ type }) => type.endsWith('PRIVATE KEY'))
  if (!ownKey) return keyProblem(keys.map(({ type }) => type))
  if (typeof process === 'undefined') return undefined
  const crypto = process.getBuiltinModule('node:crypto')
  let parsed: X509Certificate
  try {
    parsed = new crypto.X509Certificate(own.text)
  } catch {
    // Go's detailed errors about malformed certificates are not reproduced; the program that reads the Secret reports
    // them.
    return undefined
  }
  let privateKey: KeyObject
  try {
    privateKey = crypto.createPrivateKey(ownKey.text)
  } catch {
    return 'failed to parse private key'
  }
  if (parsed.checkPrivateKey(privateKey)) return undefined
  return privateKey.asymmetricKeyType === parsed.publicKey.asymmetricKeyType
    ? 'private key does not match public key'
    : 'private key type does not match public key type'
}

/** The bytes of a text in base64, a character each; none where it is something else. */
function latin1Of(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}

function blocksOf(text: string): { type: string; text: string }[] {
  return [...text.matchAll(BLOCK)].map(([block, type = '']) => ({ type, text: block }))
}

function certificateProblem(types: readonly string[]): string {
  if (types.length === 0) return 'failed to find any PEM data in certificate input'
  if (types.length === 1 && types[0]?.endsWith('PRIVATE KEY')) {
    return 'failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  }
  return `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}

function keyProblem(types: readonly string[]): string {
  if (types.length === 0) return 'failed to find any PEM data in key input'
  if (types.length === 1 && types[0] === 'CERTIFICATE') {
    return 'found a certificate rather than a key in the PEM for the private key'
  }
  return `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`
}
