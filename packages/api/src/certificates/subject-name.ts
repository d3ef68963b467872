import { objectIdentifier, sequence, set, utf8String, type Der } from './der.ts'

/** The subject of a certificate. */
export interface CertificateSubject {
  readonly commonName: string
  readonly organizations?: readonly string[] | undefined
}

export const COMMON_NAME = '2.5.4.3'
export const ORGANIZATION = '2.5.4.10'

/** A subject in DER, with its organizations first. */
export function subjectName({ commonName, organizations = [] }: CertificateSubject): Der {
  const groups = organizations.map((organization) => nameAttribute(ORGANIZATION, organization))
  return sequence(...groups, nameAttribute(COMMON_NAME, commonName))
}

/** One attribute of a certificate's subject. */
function nameAttribute(type: string, value: string): Der {
  return set(sequence(objectIdentifier(type), utf8String(value)))
}
