import { CertificateRequest } from '@homeostat/api/certificates'

/** The hash of a signature algorithm, and Go's message for a wrong signature. */
interface Algorithm {
  readonly hash: string | null
  readonly problem: string
}

const RSA = 'crypto/rsa: verification error'
const ECDSA = 'x509: ECDSA verification failure'
/** By their identifiers. */
const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map<string, Algorithm>([
  ['1.2.840.113549.1.1.11', { hash: 'sha256', problem: RSA }],
  ['1.2.840.113549.1.1.12', { hash: 'sha384', problem: RSA }],
  ['1.2.840.113549.1.1.13', { hash: 'sha512', problem: RSA }],
  ['1.2.840.10045.4.3.2', { hash: 'sha256', problem: ECDSA }],
  ['1.2.840.10045.4.3.3', { hash: 'sha384', problem: ECDSA }],
  ['1.2.840.10045.4.3.4', { hash: 'sha512', problem: ECDSA }],
  ['1.3.101.112', { hash: null, problem: 'x509: Ed25519 verification failure' }],
])
const UNKNOWN = 'x509: cannot verify signature: algorithm unimplemented'
const EMPTY = 'asn1: syntax error: sequence truncated'
/** Go's message names the first wrong byte instead. */
const UNREADABLE = 'asn1: structure error: the request cannot be read'

/**
 * Why a request in PEM is not signed by the owner of its key, in Go's words; undefined where it is. In a browser it finds only
 * requests that cannot be read: signatures cannot be checked there without waiting.
 */
export function signatureProblem(pem: string): string | undefined {
  if (/-----BEGIN CERTIFICATE REQUEST-----\s*-----END/.test(pem)) return EMPTY
  let request: CertificateRequest
  try {
    request = new CertificateRequest(pem)
  } catch {
    return UNREADABLE
  }
  if (typeof process === 'undefined') return undefined
  const { body, algorithm, signature } = request.signed
  const known = ALGORITHMS.get(algorithm)
  if (!known) return UNKNOWN
  const { createPublicKey, verify } = process.getBuiltinModule('node:crypto')
  try {
    const key = createPublicKey({ key: Buffer.from(request.publicKey), format: 'der', type: 'spki' })
    return verify(known.hash, body, key, signature) ? undefined : known.problem
  } catch {
    return known.problem
  }
}
