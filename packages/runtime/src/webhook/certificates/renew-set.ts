import { timestamp } from '@homeostat/api'
import type { Validity } from '@homeostat/api/certificates'
import type { CertificateSet, CertificateTimes } from './certificate-set.ts'
import type { InspectedSet } from './inspect-set.ts'

/** The common name of all authorities. They differ by their keys. */
const AUTHORITY = 'homeostat-webhooks'
/** How long before its creation a certificate is valid, in milliseconds: the clocks of a cluster differ. */
const CLOCK_SKEW = 3_600_000

/** The parameters of a renewal. */
export interface Renewal {
  /** The host names and addresses by which API servers reach the port. */
  readonly names: readonly string[]
  readonly now: number
  readonly times: CertificateTimes
}

/**
 * A set with a new serving certificate. The newest authority of the set before signs it, where it can: API servers trust that one already.
 * Otherwise a new authority does. Authorities that have not expired stay, because another process may still serve a certificate
 * that they signed.
 */
export async function renewSet(
  before: { readonly set: CertificateSet; readonly inspected: InspectedSet } | undefined,
  { names, now, times }: Renewal,
): Promise<CertificateSet> {
  // Loaded only by operators that make certificates.
  const { CertificateAuthority } = await import('@homeostat/api/certificates')
  const [newest] = before?.inspected.authorities ?? []
  const isKept = before !== undefined && newest !== undefined && canSign(before.inspected, now)
  const signing = isKept
    ? await CertificateAuthority.restore(AUTHORITY, {
        certificate: newest.certificate,
        key: before.set.authorityKey,
      })
    : await CertificateAuthority.create(AUTHORITY, from(now, 2 * times.validity))
  const end = isKept ? Math.min(now + times.validity, newest.notAfter) : now + times.validity
  const next = await CertificateAuthority.create(AUTHORITY, from(now, 2 * times.validity))
  const serving = await signing.forServer(names[0] ?? AUTHORITY, names, from(now, end - now))
  const { key: authorityKey } = await next.exported()
  const others = before ? trustedBy(before.inspected, now) : []
  return {
    authorities: [...new Set([next.certificate, signing.certificate, ...others])],
    authorityKey,
    certificate: serving.certificate,
    key: serving.key,
  }
}

/**
 * Adds a new authority for the next renewal if the newest one cannot sign, and keeps the serving certificate.
 * API servers learn to trust the new authority while the certificate is still in use.
 */
export async function prepareSet(
  { set, inspected }: { readonly set: CertificateSet; readonly inspected: InspectedSet },
  { now, times }: Renewal,
): Promise<CertificateSet> {
  const { CertificateAuthority } = await import('@homeostat/api/certificates')
  const next = await CertificateAuthority.create(AUTHORITY, from(now, 2 * times.validity))
  const { key: authorityKey } = await next.exported()
  return { ...set, authorities: [next.certificate, ...trustedBy(inspected, now)], authorityKey }
}

/** Whether the newest authority can sign a certificate now. */
export function canSign({ canSign, authorities: [newest] }: InspectedSet, now: number): boolean {
  return canSign && newest !== undefined && newest.notBefore <= now && newest.notAfter > now
}

/** The authorities whose certificates may still be in use. */
function trustedBy({ authorities }: InspectedSet, now: number): string[] {
  return authorities.filter(({ notAfter }) => notAfter > now).map(({ certificate }) => certificate)
}

function from(now: number, validity: number): Validity {
  return { notBefore: timestamp(now - CLOCK_SKEW), notAfter: timestamp(now + validity) }
}
