import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { type JsonObject, objectOf, textOf } from '../../schema/index.ts'

const BLOCK = /-----BEGIN ([^-\n]+)-----\r?\n[^-]*-----END \1-----/g

/**
 * The warning for a TLS Secret whose key and certificate do not match, with the messages of Go's `tls.X509KeyPair`.
 */
export function keyPairWarnings(secret: JsonObject): string[] {
  if (secret['type'] !== 'kubernetes.io/tls') return []
  const data = objectOf(secret['data'])
  const [certificate, key] = ['tls.crt', 'tls.key'].map((name) =>
    Buffer.from(textOf(data[name] ?? ''), 'base64').toString('latin1'),
  ) as [string, string]
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
  let parsed: X509Certificate
  try {
    parsed = new X509Certificate(own.text)
  } catch {
    // Go's detailed errors about malformed certificates are not reproduced; the program that reads the Secret reports
    // them.
    return undefined
  }
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(ownKey.text)
  } catch {
    return 'failed to parse private key'
  }
  if (parsed.checkPrivateKey(privateKey)) return undefined
  return privateKey.asymmetricKeyType === parsed.publicKey.asymmetricKeyType
    ? 'private key does not match public key'
    : 'private key type does not match public key type'
}

function blocksOf(text: string): { type: string; text: string }[] {
  return [...text.matchAll(BLOCK)].map(([block, type = '']) => ({ type, text: block }))
}

function certificateProblem(types: readonly string[]): string {
  if (types.length === 0) return 'failed to find any PEM data in certificate input'
  if (types.length === 1 && types[0]!.endsWith('PRIVATE KEY')) {
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
