import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { CertificateSet } from './certificate-set.ts'

/** From when until when something is valid, in milliseconds since 1970. */
interface Period {
  readonly notBefore: number
  readonly notAfter: number
}

/** The content of a set. Unusable parts are absent, and `problems` says why. Private keys never appear in it. */
export interface InspectedSet {
  /** Those that can be read, the newest first. */
  readonly authorities: readonly (Period & { readonly certificate: string })[]
  /** Whether the newest authority can sign: its key fits. */
  readonly canSign: boolean
  /** The serving certificate, where its key fits and one of the authorities has signed it. */
  readonly serving?: (Period & { readonly names: readonly string[] }) | undefined
  readonly problems: readonly string[]
}

/** Reads certificates and keys that may be anything. */
export function inspectSet(set: CertificateSet): InspectedSet {
  const problems: string[] = []
  const read = set.authorities.flatMap((pem, index) => {
    const certificate = parse(pem)
    if (!certificate) problems.push(`certificate ${index + 1} in ca.crt cannot be read`)
    return certificate ? [{ pem, certificate }] : []
  })
  if (set.authorities.length === 0) problems.push('ca.crt holds no certificate')
  const newest = set.authorities[0] === undefined ? undefined : parse(set.authorities[0])
  const canSign = newest !== undefined && fits(newest, set.authorityKey)
  if (newest && !canSign) problems.push('ca.key is not the key of the first certificate in ca.crt')
  const serving = parse(set.certificate)
  if (!serving) problems.push('tls.crt holds no certificate')
  const hasKey = serving !== undefined && fits(serving, set.key)
  if (serving && !hasKey) problems.push('tls.key is not the key of tls.crt')
  const isTrusted = serving && read.some(({ certificate }) => isSignedBy(serving, certificate))
  if (serving && !isTrusted) problems.push('no certificate in ca.crt has signed tls.crt')
  return {
    authorities: read.map(({ pem, certificate }) => ({ certificate: pem, ...periodOf(certificate) })),
    canSign,
    serving: serving && hasKey && isTrusted ? { ...periodOf(serving), names: namesOf(serving) } : undefined,
    problems,
  }
}

function parse(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem)
  } catch {
    return undefined
  }
}

/** Node's own errors are dropped: some of them quote their input. */
function fits(certificate: X509Certificate, key: string): boolean {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(key)
  } catch {
    return false
  }
  return certificate.checkPrivateKey(privateKey)
}

function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}

function periodOf({ validFrom, validTo }: X509Certificate): Period {
  return { notBefore: Date.parse(validFrom), notAfter: Date.parse(validTo) }
}

/** The host names and addresses of a certificate: `DNS:a.example.com, IP Address:127.0.0.1`. */
function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  return subjectAltName.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''))
}
