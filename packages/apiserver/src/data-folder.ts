import { errorCode } from './work/index.ts'
import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HomeostatError } from '@homeostat/api'
import type { TokenKey } from './auth/index.ts'
import { CertificateAuthority, newFrontProxy, type FrontProxyIdentity } from './certificates/index.ts'

/** The identity of a server for its clients. */
export interface ServerIdentity {
  readonly authority: CertificateAuthority
  /** The bearer token of the administrator. */
  readonly token: string
}

const AUTHORITY = 'certificate-authority.pem'
const FRONT_PROXY = 'front-proxy.pem'
const TOKEN = 'admin.token'
const SIGNING_KEY = 'service-account.key'
const PORT = 'port'

/**
 * The files of a server's folder besides its objects. They let clients keep working with the next server: the
 * certificate authority with its key, the certificate for extension API servers, the administrator's token,
 * the key of ServiceAccount tokens, and the port. Each is created on first use, readable only by its owner.
 * The caller holds the lock of the folder's store, so that no other process writes here.
 */
export class DataFolder {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async identity(): Promise<ServerIdentity> {
    return { authority: await this.#authority(), token: this.#token() }
  }

  /** The certificate by which extension API servers know this server. */
  async frontProxy(): Promise<FrontProxyIdentity> {
    const text = this.#read(FRONT_PROXY)
    if (text === undefined) {
      const made = await newFrontProxy()
      this.#write(FRONT_PROXY, made.authority + made.certificate + made.key)
      return made
    }
    try {
      const [authority = '', certificate = '', key = ''] = pemBlocks(text)
      const own = new X509Certificate(certificate)
      if (!own.checkPrivateKey(createPrivateKey(key)) || !own.checkIssued(new X509Certificate(authority))) {
        throw new HomeostatError('KEY_MISMATCH', 'the key does not belong to the certificate')
      }
      return { authority, certificate, key }
    } catch (cause) {
      const what = 'no certificate with its authority and its key'
      throw this.#damaged(FRONT_PROXY, what, 'certificate that extension API servers know', cause)
    }
  }

  /** The private key that signs tokens of ServiceAccounts. */
  signingKey(): TokenKey {
    const text = this.#read(SIGNING_KEY) ?? this.#write(SIGNING_KEY, newSigningKey())
    try {
      return createPrivateKey(text).export({ format: 'jwk' })
    } catch (cause) {
      throw this.#damaged(SIGNING_KEY, 'no private key', 'tokens of ServiceAccounts', cause)
    }
  }

  /** The port of the last server on this folder; undefined when there was none. */
  get lastPort(): number | undefined {
    // An unreadable number loses nothing: the server takes another port.
    const port = Number(this.#read(PORT))
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined
  }

  set lastPort(port: number) {
    if (port === this.lastPort) return
    try {
      this.#write(PORT, `${port}\n`)
    } catch {
      // A server on a full disk still serves reads; the next one takes another port.
    }
  }

  async #authority(): Promise<CertificateAuthority> {
    const text = this.#read(AUTHORITY)
    if (text === undefined) {
      const authority = await CertificateAuthority.create()
      const { certificate, key } = await authority.exported()
      this.#write(AUTHORITY, certificate + key)
      return authority
    }
    try {
      const [certificate = '', key = ''] = pemBlocks(text)
      if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) {
        throw new HomeostatError('KEY_MISMATCH', 'the key does not belong to the certificate')
      }
      return await CertificateAuthority.restore({ certificate, key })
    } catch (cause) {
      throw this.#damaged(
        AUTHORITY,
        'no certificate with its key',
        'kubeconfigs and client certificates',
        cause,
      )
    }
  }

  #token(): string {
    const token = (this.#read(TOKEN) ?? this.#write(TOKEN, `${randomBytes(24).toString('hex')}\n`)).trim()
    if (/^[0-9a-f]{48}$/.test(token)) return token
    throw this.#damaged(TOKEN, 'no token', 'kubeconfigs')
  }

  #read(name: string): string | undefined {
    const path = join(this.#path, name)
    try {
      return readFileSync(path, 'utf8')
    } catch (cause) {
      if (errorCode(cause) === 'ENOENT') return undefined
      const message = `${path} cannot be read: ${reasonOf(cause)}. Give this user the right to read it`
      throw new HomeostatError('CREDENTIALS_NOT_READABLE', message, { cause })
    }
  }

  /** Writes a file atomically: a crash leaves the old one or the new one. */
  #write(name: string, text: string): string {
    const path = join(this.#path, name)
    const draft = `${path}.${randomBytes(6).toString('hex')}`
    try {
      const file = openSync(draft, 'wx', 0o600)
      try {
        writeFileSync(file, text)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      renameSync(draft, path)
      syncFolder(dirname(path))
    } catch (cause) {
      rmSync(draft, { force: true })
      const message = `${path} cannot be written: ${reasonOf(cause)}. Give this user the right to write its folder, and free space on its disk`
      throw new HomeostatError('CREDENTIALS_NOT_WRITABLE', message, { cause })
    }
    return text
  }

  #damaged(name: string, what: string, lost: string, cause?: unknown): HomeostatError {
    const path = join(this.#path, name)
    return new HomeostatError(
      'CREDENTIALS_DAMAGED',
      `${path} is damaged: it holds ${what}. Restore it from a backup, or move it away: the server then creates a new one, and refuses the ${lost} issued before`,
      { cause },
    )
  }
}

function pemBlocks(text: string): readonly string[] {
  return text.match(/-----BEGIN [^]*?-----END [^\n]*\n/g) ?? []
}

function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

/** Makes a new name in a folder durable. Some systems cannot open a folder; there the file system does it by itself. */
function syncFolder(path: string): void {
  let folder: number
  try {
    folder = openSync(path, 'r')
  } catch {
    return
  }
  try {
    fsyncSync(folder)
  } catch {
    // Not every file system supports it.
  } finally {
    closeSync(folder)
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
