import { alternativeNames } from './alternative-names.ts'
import {
  bitString,
  boolean,
  contextual,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
  type Der,
} from './der.ts'
import { pem, unpem } from './pem.ts'

/** A certificate and its private key, in PEM. */
export interface Certificate {
  readonly certificate: string
  readonly key: string
}

/** From when until when a certificate is valid, in RFC 3339. */
export interface Validity {
  readonly notBefore: string
  readonly notAfter: string
}

/** Whom a certificate is about. */
export interface CertificateSubject {
  readonly commonName: string
  readonly organizations?: readonly string[] | undefined
}

const KEY_TYPE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'

const SERVER = '1.3.6.1.5.5.7.3.1'
const CLIENT = '1.3.6.1.5.5.7.3.2'

/** Signs certificates for servers and for their clients. */
export class CertificateAuthority {
  /** The certificate that others must trust, in PEM. */
  readonly certificate: string
  readonly #name: string
  readonly #keys: Keys
  readonly #id: Der

  private constructor(name: string, certificate: string, keys: Keys, id: Der) {
    this.#name = name
    this.certificate = certificate
    this.#keys = keys
    this.#id = id
  }

  /** A new authority. The name is its common name: what it signs names it as the issuer. */
  static async create(name: string, validity: Validity): Promise<CertificateAuthority> {
    const keys = await newKeys()
    const id = await keyIdentifier(keys)
    const names = { issuer: commonName(name), subject: commonName(name) }
    const own = await certificate(names, validity, keys, keys, [
      extension('2.5.29.19', sequence(boolean(true)), true),
      // Signs certificates and lists of revoked ones.
      extension('2.5.29.15', bitString(Uint8Array.of(0x06), 1), true),
      extension('2.5.29.14', octetString(id)),
    ])
    return new CertificateAuthority(name, pem('CERTIFICATE', own), keys, id)
  }

  /** The authority that {@link exported} was called on. Rejects where the key is none. */
  static async restore(name: string, { certificate, key }: Certificate): Promise<CertificateAuthority> {
    const privateKey = await crypto.subtle.importKey('pkcs8', unpem(key), KEY_TYPE, true, ['sign'])
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', privateKey)
    const point = { kty, crv, x, y } as { kty: string; crv: string; x: string; y: string }
    const publicKey = await crypto.subtle.importKey('jwk', point, KEY_TYPE, true, ['verify'])
    const keys = { privateKey, publicKey }
    return new CertificateAuthority(name, certificate, keys, await keyIdentifier(keys))
  }

  /** The authority's own certificate with its private key. */
  exported(): Promise<Certificate> {
    return withKey(this.certificate, this.#keys)
  }

  /** A certificate for a server that is reached by these host names and addresses. */
  forServer(subject: string, hosts: readonly string[], validity: Validity): Promise<Certificate> {
    const alternatives = extension('2.5.29.17', sequence(...alternativeNames(hosts)))
    return this.#issue({ commonName: subject }, validity, SERVER, [alternatives])
  }

  /** A certificate for a client. */
  forClient(subject: CertificateSubject, validity: Validity): Promise<Certificate> {
    return this.#issue(subject, validity, CLIENT, [])
  }

  async #issue(
    { commonName: name, organizations = [] }: CertificateSubject,
    validity: Validity,
    usage: string,
    extensions: readonly Der[],
  ): Promise<Certificate> {
    const keys = await newKeys()
    const groups = organizations.map((organization) => nameAttribute(ORGANIZATION, organization))
    const subject = sequence(...groups, nameAttribute(COMMON_NAME, name))
    const own = await certificate({ issuer: commonName(this.#name), subject }, validity, keys, this.#keys, [
      extension('2.5.29.19', sequence(), true),
      // Signs what it says.
      extension('2.5.29.15', bitString(Uint8Array.of(0x80), 7), true),
      extension('2.5.29.37', sequence(objectIdentifier(usage))),
      ...extensions,
      extension('2.5.29.14', octetString(await keyIdentifier(keys))),
      extension('2.5.29.35', sequence(contextual(0, false, this.#id))),
    ])
    return withKey(pem('CERTIFICATE', own), keys)
  }
}

async function withKey(certificate: string, { privateKey }: Keys): Promise<Certificate> {
  const key = new Uint8Array(await crypto.subtle.exportKey('pkcs8', privateKey))
  return { certificate, key: pem('PRIVATE KEY', key) }
}

type Keys = Awaited<ReturnType<typeof newKeys>>

function newKeys() {
  return crypto.subtle.generateKey(KEY_TYPE, true, ['sign', 'verify'])
}

/** A certificate of version 3 for the subject's key, signed by the issuer's. */
async function certificate(
  { issuer, subject }: { readonly issuer: Der; readonly subject: Der },
  { notBefore, notAfter }: Validity,
  keys: Keys,
  issuerKeys: Keys,
  extensions: readonly Der[],
): Promise<Der> {
  const algorithm = sequence(objectIdentifier(ECDSA_WITH_SHA256))
  const body = sequence(
    contextual(0, true, integer(Uint8Array.of(2))),
    integer(crypto.getRandomValues(new Uint8Array(16))),
    algorithm,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    new Uint8Array(await crypto.subtle.exportKey('spki', keys.publicKey)),
    contextual(3, true, sequence(...extensions)),
  )
  const signature = new Uint8Array(
    await crypto.subtle.sign(SIGNATURE, issuerKeys.privateKey, new Uint8Array(body)),
  )
  const half = signature.length / 2
  const pair = sequence(integer(signature.subarray(0, half)), integer(signature.subarray(half)))
  return sequence(body, algorithm, bitString(pair))
}

const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'

function commonName(name: string): Der {
  return sequence(nameAttribute(COMMON_NAME, name))
}

/** One attribute of a certificate's subject. */
function nameAttribute(type: string, value: string): Der {
  return set(sequence(objectIdentifier(type), utf8String(value)))
}

function extension(identifier: string, value: Der, critical = false): Der {
  const content = octetString(value)
  const id = objectIdentifier(identifier)
  return critical ? sequence(id, boolean(true), content) : sequence(id, content)
}

/** The first 160 bits of the SHA-256 of the public key. */
async function keyIdentifier(keys: Keys): Promise<Der> {
  const point = await crypto.subtle.exportKey('raw', keys.publicKey)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', point)).subarray(0, 20)
}
