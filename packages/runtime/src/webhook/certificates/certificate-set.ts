/**
 * The certificates of an operator's webhooks. A renewal signs the serving certificate with the newest authority, which
 * API servers have trusted since the renewal before. It also makes a further authority for the next renewal.
 */
export interface CertificateSet {
  /** The certificates of all authorities that API servers trust, in PEM, the newest first. */
  readonly authorities: readonly string[]
  /** The key of the newest authority. Older ones sign nothing any more, so that their keys are not kept. */
  readonly authorityKey: string
  /** The certificate that the port presents. */
  readonly certificate: string
  readonly key: string
}

/** How long certificates are used. */
export interface CertificateTimes {
  /** How long a serving certificate is valid, in milliseconds. An authority is valid twice as long. */
  readonly validity: number
  /** How long before its end a serving certificate is renewed. */
  readonly renewBefore: number
}

/** Where a Secret has the parts of a set. The serving certificate is where `kubernetes.io/tls` has it. */
const KEYS = {
  authorities: 'ca.crt',
  authorityKey: 'ca.key',
  certificate: 'tls.crt',
  key: 'tls.key',
} as const

/** The set as the data of a Secret. */
export function toSecretData(set: CertificateSet): Record<string, string> {
  return {
    [KEYS.authorities]: base64(set.authorities.join('')),
    [KEYS.authorityKey]: base64(set.authorityKey),
    [KEYS.certificate]: base64(set.certificate),
    [KEYS.key]: base64(set.key),
  }
}

/** The set that the data of a Secret holds. Parts that are missing are empty. */
export function fromSecretData(data: Readonly<Record<string, string>> = {}): CertificateSet {
  const text = (part: keyof typeof KEYS): string => fromBase64(data[KEYS[part]] ?? '')
  return {
    authorities: splitPem(text('authorities')),
    authorityKey: text('authorityKey'),
    certificate: text('certificate'),
    key: text('key'),
  }
}

/** The certificates of a bundle, one by one. */
function splitPem(bundle: string): string[] {
  return (bundle.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []).map(
    (certificate) => `${certificate}\n`,
  )
}

/** The text of a `caBundle`. */
export function bundleOf(authorities: readonly string[]): string {
  return base64(authorities.join(''))
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

/** A value that is not Base64 counts as empty: a Secret may contain anything. */
function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
  } catch {
    return ''
  }
}
