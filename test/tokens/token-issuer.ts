import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { CertificateAuthority } from '../../packages/apiserver/src/certificates/certificates.ts'

interface SigningKey {
  readonly kid: string
  readonly alg: 'RS256' | 'ES256' | 'PS256'
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

/** Issuers of JSON web tokens (OIDC) on one port of loopback, with TLS: each has a path of its own. */
export class TokenIssuer implements AsyncDisposable {
  /** The authority of its certificate, in PEM. */
  readonly certificateAuthority: string
  /** `https://127.0.0.1:1234`. */
  readonly url: string
  readonly #server: Server
  readonly #keys: SigningKey[] = [
    newKey('first', 'RS256'),
    newKey('elliptic', 'ES256'),
    newKey('pss', 'PS256'),
  ]
  /** A key that is not published. */
  readonly #other = newKey('first', 'RS256')

  private constructor(server: Server, certificateAuthority: string) {
    this.#server = server
    this.certificateAuthority = certificateAuthority
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(): Promise<TokenIssuer> {
    const authority = await CertificateAuthority.create()
    const { certificate, key } = await authority.forServer('127.0.0.1')
    const server = createServer({ cert: certificate, key })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = new TokenIssuer(server, authority.certificate)
    server.on('request', ({ url = '' }, response) => {
      const document = issuer.#document(url)
      response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
      response.end(document ? JSON.stringify(document) : undefined)
    })
    return issuer
  }

  /** Publishes a new key, as an issuer does from time to time. */
  addKey(kid: string): void {
    this.#keys.push(newKey(kid, 'RS256'))
  }

  /** A token with these claims, signed by a key of the issuer; `forged` by another one. */
  token(claims: object, kid = 'first'): string {
    const key = kid === 'forged' ? this.#other : this.#keys.find((one) => one.kid === kid)!
    const text = `${part({ alg: key.alg, kid: key.kid, typ: 'JWT' })}.${part(claims)}`
    const options = key.alg === 'ES256' ? { dsaEncoding: 'ieee-p1363' as const } : {}
    const padding = key.alg === 'PS256' ? { padding: 6, saltLength: 32 } : {}
    const signature = sign('sha256', Buffer.from(text), { key: key.privateKey, ...options, ...padding })
    return `${text}.${signature.toString('base64url')}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #document(url: string): object | undefined {
    if (url === '/keys') {
      return {
        keys: this.#keys.map(({ kid, alg, publicKey }) => ({
          ...publicKey.export({ format: 'jwk' }),
          kid,
          alg,
          use: 'sig',
        })),
      }
    }
    const found = /^\/(\w+)\/\.well-known\/openid-configuration$/.exec(url)
    if (!found || found[1] === 'silent') return undefined
    const issuer = found[1] === 'elsewhere' ? 'https://issuer.example' : `${this.url}/${found[1]}`
    return { issuer, jwks_uri: `${this.url}/keys` }
  }
}

function newKey(kid: string, alg: SigningKey['alg']): SigningKey {
  const pair =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid, alg, ...pair }
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
