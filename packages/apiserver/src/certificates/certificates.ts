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

const KEY_TYPE = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
/** Wide enough for a server whose clock is not that of its clients. */
const LONGEST: Validity = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-12-31T23:59:59Z' }
const NAMES = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']

const SERVER = '1.3.6.1.5.5.7.3.1'
const CLIENT = '1.3.6.1.5.5.7.3.2'
const ISSUER = 'homeostat-ca'

/** Signs certificates for ports and for their clients. */
export class CertificateAuthority {
  /** What clients are told to trust, in PEM. */
  readonly certificate: string
  readonly #keys: Keys
  readonly #id: Der

  private constructor(certificate: string, keys: Keys, id: Der) {
    this.certificate = certificate
    this.#keys = keys
    this.#id = id
  }

  static async create(validity: Validity = LONGEST): Promise<CertificateAuthority> {
    const keys = await newKeys()
    const id = await keyIdentifier(keys)
    const own = await certificate(commonName(ISSUER), validity, keys, keys, [
      extension('2.5.29.19', sequence(boolean(true)), true),
      // Signs certificates and lists of revoked ones.
      extension('2.5.29.15', bitString(Uint8Array.of(0x06), 1), true),
      extension('2.5.29.14', octetString(id)),
    ])
    return new CertificateAuthority(pem('CERTIFICATE', own), keys, id)
  }

  /** The authority that {@link exported} was called on. */
  static async restore({ certificate, key }: Certificate): Promise<CertificateAuthority> {
    const privateKey = await crypto.subtle.importKey('pkcs8', unpem(key), KEY_TYPE, true, ['sign'])
    const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', privateKey)
    const point = { kty, crv, x, y } as { kty: string; crv: string; x: string; y: string }
    const publicKey = await crypto.subtle.importKey('jwk', point, KEY_TYPE, true, ['verify'])
    const keys = { privateKey, publicKey }
    return new CertificateAuthority(certificate, keys, await keyIdentifier(keys))
  }

  /** The authority's own certificate with its private key. */
  exported(): Promise<Certificate> {
    return withKey(this.certificate, this.#keys)
  }

  /** A certificate for a port at the given host, and for the names and addresses that lead there as well. */
  forServer(host: string, names: readonly string[] = []): Promise<Certificate> {
    const alternatives = extension('2.5.29.17', sequence(...alternativeNames([host, ...names])))
    return this.#issue(commonName('kube-apiserver'), LONGEST, SERVER, [alternatives])
  }

  /** A certificate by which a client is a user and a member of groups. */
  forClient(
    user: { readonly name: string; readonly groups: readonly string[] },
    validity: Validity = LONGEST,
  ): Promise<Certificate> {
    const groups = user.groups.map((group) => nameAttribute(ORGANIZATION, group))
    return this.#issue(sequence(...groups, nameAttribute(COMMON_NAME, user.name)), validity, CLIENT, [])
  }

  async #issue(
    subject: Der,
    validity: Validity,
    usage: string,
    extensions: readonly Der[],
  ): Promise<Certificate> {
    const keys = await newKeys()
    const own = await certificate(subject, validity, keys, this.#keys, [
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
  subject: Der,
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
    commonName(ISSUER),
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

/** One part of the name of whom a certificate is about. */
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

function alternativeNames(hosts: readonly string[]): Der[] {
  const names = new Set([...NAMES, ...hosts.filter((host) => !addressBytes(host))])
  const addresses = [
    Uint8Array.of(127, 0, 0, 1),
    loopback6(),
    ...hosts.flatMap((host) => addressBytes(host) ?? []),
  ]
  return [
    ...[...names].map((name) => contextual(2, false, new TextEncoder().encode(name))),
    ...addresses.map((bytes) => contextual(7, false, bytes)),
  ]
}

/** The bytes of an IPv4 address; undefined for anything else. */
function addressBytes(host: string): Der | undefined {
  return /^\d+\.\d+\.\d+\.\d+$/.test(host) ? Uint8Array.from(host.split('.').map(Number)) : undefined
}

function loopback6(): Der {
  const bytes = new Uint8Array(16)
  bytes[15] = 1
  return bytes
}

function pem(label: string, der: Der): string {
  const lines = btoa(String.fromCharCode(...der)).match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

function unpem(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll(/-----[^-]*-----|\s/g, '')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
