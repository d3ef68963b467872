import type { Clock } from '@homeostat/api'
import type { ClusterConfig } from './cluster-config.ts'
import { constantSource, type Credentials, type CredentialSource } from './credential-source.ts'
import { ExecSource } from './exec-source.ts'
import { runExecProgram } from './run-exec-program.ts'
import { nodeModules } from '../process/index.ts'
import { TransportError } from '../transport/index.ts'

/** How often the token of a Pod is read again. The kubelet renews tokens long before they expire, so a minute is enough. */
const TOKEN_FILE_MILLISECONDS = 60_000

/** The credentials that a configuration asks for. */
export function configuredCredentials(config: ClusterConfig, clock: Clock): CredentialSource {
  if (config.tokenFile !== undefined) return new TokenFileSource(config.tokenFile, config, clock)
  if (config.token !== undefined) return constantSource({ header: `Bearer ${config.token}` })
  if (config.username !== undefined) {
    const pair = Buffer.from(`${config.username}:${config.password ?? ''}`).toString('base64')
    return constantSource({ header: `Basic ${pair}` })
  }
  if (config.exec !== undefined && config.tls.cert === undefined) {
    return new ExecSource(config.exec, clock, runExecProgram)
  }
  return constantSource({})
}

/** A token in a file, read again every minute, and when the server refuses it. */
class TokenFileSource implements CredentialSource {
  readonly #file: string
  readonly #config: ClusterConfig
  readonly #clock: Clock
  #credentials: Credentials | undefined
  #readAt = 0

  constructor(file: string, config: ClusterConfig, clock: Clock) {
    this.#file = file
    this.#config = config
    this.#clock = clock
  }

  get(): Credentials {
    if (this.#credentials && this.#clock.monotonic() - this.#readAt < TOKEN_FILE_MILLISECONDS) {
      return this.#credentials
    }
    try {
      const token = nodeModules.fs.readFileSync(this.#file, 'utf8').trim()
      if (token === '') throw new Error('the file is empty')
      const header = `Bearer ${token}`
      if (this.#credentials?.header !== header) this.#credentials = { header }
      this.#readAt = this.#clock.monotonic()
      return this.#credentials
    } catch (cause) {
      // While a mount is being renewed, the file may be missing for a moment: the last token is still valid.
      if (this.#credentials) return this.#credentials
      throw new TransportError(
        'TRANSPORT_CREDENTIALS',
        `the token for ${this.#config.server} cannot be read from ${this.#file} (${this.#config.source}). Check that the file exists and is readable.`,
        { cause },
      )
    }
  }

  refused(credentials: Credentials): boolean {
    this.#readAt = Number.NEGATIVE_INFINITY
    return this.get() !== credentials
  }

  close(): void {}
}
