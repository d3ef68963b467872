import { alternativeNames, encodedNames } from './alternative-names.ts'
import type { CertificateRequest } from './certificate-request.ts'
import {
  bitString,
  boolean,
  contextual,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  time,
  type Der,
} from './der.ts'
import { extendedKeyUsage, keyUsage } from './key-usages.ts'
import { ALGORITHM, KEY_TYPE, newKeys, privateKeyPem, publicKeyOf, signedBy, type Keys } from './keys.ts'
import { pem, unpem } from './pem.ts'
import { subjectName, type CertificateSubject } from './subject-name.ts'

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

  /** A new authority. The name is its common name, which its certificates name as the issuer. */
  static async create(name: string, validity: Validity): Promise<CertificateAuthority> {
    const keys = await newKeys()
    const id = await keyIdentifier(keys)
    const names = { issuer: subjectName({ commonName: name }), subject: subjectName({ commonName: name }) }
    const own = await certificate(names, validity, await publicKeyOf(keys), keys, [
      extension('2.5.29.19', sequence(boolean(true)), true),
      // Signs certificates and lists of revoked ones.
      extension('2.5.29.15', bitString(Uint8Array.of(0x06), 1), true),
      extension('2.5.29.14', octetString(id)),
    ])
    return new CertificateAuthority(name, pem('CERTIFICATE', own), keys, id)
  }

  /** The authority that {@link exported} was called on. Rejects where the key is invalid. */
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

  /** Signs a request, which must be {@link CertificateRequest.isSigned}. Resolves to the certificate, in PEM. */
  async sign(
    { subject, publicKey, names }: CertificateRequest,
    { usages, validity }: { readonly usages: readonly string[]; readonly validity: Validity },
  ): Promise<string> {
    const [bits, purposes, others] = [keyUsage(usages), extendedKeyUsage(usages), encodedNames(names)]
    const signed = await certificate({ issuer: this.#issuer, subject }, validity, publicKey, this.#keys, [
      ...(bits ? [extension('2.5.29.15', bits, true)] : []),
      ...(purposes ? [extension('2.5.29.37', purposes)] : []),
      extension('2.5.29.19', sequence(), true),
      extension('2.5.29.35', sequence(contextual(0, false, this.#id))),
      // Without a subject, only these names identify its owner.
      ...(others.length > 0 ? [extension('2.5.29.17', sequence(...others), subject.length === 2)] : []),
    ])
    return pem('CERTIFICATE', signed)
  }

  async #issue(
    subject: CertificateSubject,
    validity: Validity,
    usage: string,
    extensions: readonly Der[],
  ): Promise<Certificate> {
    const keys = await newKeys()
    const names = { issuer: this.#issuer, subject: subjectName(subject) }
    const own = await certificate(names, validity, await publicKeyOf(keys), this.#keys, [
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

  get #issuer(): Der {
    return subjectName({ commonName: this.#name })
  }
}

async function withKey(certificate: string, keys: Keys): Promise<Certificate> {
  return { certificate, key: await privateKeyPem(keys) }
}

/** A certificate of version 3 for the subject's key, signed by the issuer's. */
function certificate(
  { issuer, subject }: { readonly issuer: Der; readonly subject: Der },
  { notBefore, notAfter }: Validity,
  publicKey: Der,
  issuerKeys: Keys,
  extensions: readonly Der[],
): Promise<Der> {
  const body = sequence(
    contextual(0, true, integer(Uint8Array.of(2))),
    integer(crypto.getRandomValues(new Uint8Array(16))),
    ALGORITHM,
    issuer,
    sequence(time(notBefore), time(notAfter)),
    subject,
    publicKey,
    contextual(3, true, sequence(...extensions)),
  )
  return signedBy(issuerKeys, body)
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
