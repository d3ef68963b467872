import { alternativeNames } from './alternative-names.ts'
import { contextual, integer, objectIdentifier, octetString, sequence, set } from './der.ts'
import { newKeys, privateKeyPem, publicKeyOf, signedBy } from './keys.ts'
import { pem } from './pem.ts'
import { subjectName, type CertificateSubject } from './subject-name.ts'

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'
const ALTERNATIVE_NAMES = '2.5.29.17'

/**
 * A new key, and a request for a certificate of it, both in PEM. A CertificateSigningRequest holds the request in base64. `hosts` are the
 * names and addresses of a server.
 */
export async function createCertificateRequest(
  subject: CertificateSubject,
  hosts: readonly string[] = [],
): Promise<{ readonly request: string; readonly key: string }> {
  const keys = await newKeys()
  const names = sequence(
    objectIdentifier(ALTERNATIVE_NAMES),
    octetString(sequence(...alternativeNames(hosts))),
  )
  const asked = sequence(objectIdentifier(EXTENSION_REQUEST), set(sequence(names)))
  const body = sequence(
    integer(Uint8Array.of(0)),
    subjectName(subject),
    await publicKeyOf(keys),
    contextual(0, true, ...(hosts.length > 0 ? [asked] : [])),
  )
  const signed = await signedBy(keys, body)
  return { request: pem('CERTIFICATE REQUEST', signed), key: await privateKeyPem(keys) }
}
