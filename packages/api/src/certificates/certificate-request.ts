import { sequence, set, type Der } from './der.ts'
import { bitsOf, type DerValue, identifierOf, malformed, partsOf, readValues, textOf } from './der-reader.ts'
import { unpem } from './pem.ts'
import { isSignedBy } from './signatures.ts'
import { COMMON_NAME, ORGANIZATION } from './subject-name.ts'

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'
const ALTERNATIVE_NAMES = '2.5.29.17'

/** The requested names of a certificate besides its subject. */
export interface AlternativeNames {
  readonly dns: readonly string[]
  readonly emails: readonly string[]
  /** As bytes: four of an IPv4 address, sixteen of an IPv6 address. */
  readonly addresses: readonly Der[]
  readonly uris: readonly string[]
}

/** A request for a certificate, in the form PKCS #10. */
export class CertificateRequest {
  readonly commonName: string
  readonly organizations: readonly string[]
  readonly names: AlternativeNames
  /** The subject as certificates name it: the attributes that are known, each type once, in the order that Go gives them. */
  readonly subject: Der
  /** The public key, with its type. */
  readonly publicKey: Der
  readonly #body: Der
  readonly #algorithm: string
  readonly #signature: Der

  /** Reads a request in PEM. Throws where it is invalid. */
  constructor(pem: string) {
    const block = /-----BEGIN CERTIFICATE REQUEST-----[^-]*-----END CERTIFICATE REQUEST-----/.exec(pem)
    if (!block) throw malformed('PEM block type must be CERTIFICATE REQUEST')
    const [body, algorithm, signature] = partsOf(readValues(unpem(block[0]))[0])
    const [, subject, publicKey, attributes] = partsOf(body)
    if (!body || !subject || !publicKey) throw malformed('the subject or the public key is missing')
    this.#body = body.whole
    this.#algorithm = identifierOf(partsOf(algorithm)[0])
    this.#signature = bitsOf(signature)
    this.publicKey = publicKey.whole
    const attributesOfSubject = partsOf(subject).flatMap(partsOf)
    this.subject = orderedSubject(attributesOfSubject)
    const named = (type: string): string[] =>
      attributesOfSubject
        .map(partsOf)
        .flatMap(([id, value]) => (value && identifierOf(id) === type ? [textOf(value)] : []))
    this.commonName = named(COMMON_NAME).at(-1) ?? ''
    this.organizations = named(ORGANIZATION)
    this.names = alternativeNames(attributes)
  }

  /** The signed bytes, the identifier of the algorithm, and the signature. */
  get signed(): { readonly body: Der; readonly algorithm: string; readonly signature: Der } {
    return { body: this.#body, algorithm: this.#algorithm, signature: this.#signature }
  }

  /** Whether the owner of the public key has signed the request. */
  isSigned(): Promise<boolean> {
    return isSignedBy(this.publicKey, this.#algorithm, this.#body, this.#signature)
  }
}

/** Country, province, locality, street, postal code, organization, its unit, common name, serial number. */
const SUBJECT_ORDER = [6, 8, 7, 9, 17, 10, 11, 3, 5].map((number) => `2.5.4.${number}`)
/** If one of these occurs several times, only the last one counts. */
const SINGLE: readonly string[] = [COMMON_NAME, '2.5.4.5']

function orderedSubject(attributes: readonly DerValue[]): Der {
  const byType = Map.groupBy(attributes, (attribute) => identifierOf(partsOf(attribute)[0]))
  const parts = SUBJECT_ORDER.flatMap((type) => {
    const found = (byType.get(type) ?? []).slice(SINGLE.includes(type) ? -1 : 0)
    return found.length === 0 ? [] : [set(...found.map(({ whole }) => whole).sort(byBytes))]
  })
  return sequence(...parts)
}

/** The order of a set in DER. */
function byBytes(a: Der, b: Der): number {
  const at = a.findIndex((byte, index) => byte !== b[index])
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

function alternativeNames(attributes: DerValue | undefined): AlternativeNames {
  const found = (attributes ? partsOf(attributes) : [])
    .map(partsOf)
    .filter(([id]) => identifierOf(id) === EXTENSION_REQUEST)
    .flatMap(([, values]) => partsOf(values).flatMap(partsOf).map(partsOf))
    .find(([id]) => identifierOf(id) === ALTERNATIVE_NAMES)
  const names = found ? partsOf(readValues(found.at(-1)?.content ?? new Uint8Array())[0]) : []
  const of = (tag: number): DerValue[] => names.filter((name) => name.tag === tag)
  return {
    dns: of(0x82).map(textOf),
    emails: of(0x81).map(textOf),
    addresses: of(0x87).map(({ content }) => content),
    uris: of(0x86).map(textOf),
  }
}
