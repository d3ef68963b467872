import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { HomeostatError, type Clock, type Timer } from '@homeostat/api'
import type { Logger, MetricsRegistry } from '../telemetry/index.ts'
import type { PageCertificate } from './page.ts'

/** A certificate and its key, in PEM. */
export interface CertificatePair {
  readonly cert: string
  readonly key: string
}

const INTERVAL = 10_000

/**
 * A certificate in files that another program renews. The files are read every ten seconds. A pair that cannot be
 * used, such as a new certificate whose key has not been written yet, is logged, and the last usable pair stays in
 * use.
 */
export class CertificateFiles implements Disposable {
  readonly #files: PageCertificate
  readonly #clock: Clock
  readonly #log: Logger
  readonly #reads: { value: number }
  readonly #errors: { value: number }
  #timer: Timer | undefined
  #closed = false

  constructor(
    files: PageCertificate,
    { clock, logger, metrics }: { clock: Clock; logger: Logger; metrics: MetricsRegistry },
  ) {
    this.#files = files
    this.#clock = clock
    this.#log = logger
    this.#reads = metrics
      .counter('certwatcher_read_certificate_total', 'How often certificates were read.')
      .with()
    this.#errors = metrics
      .counter(
        'certwatcher_read_certificate_errors_total',
        'How often certificates could not be read or used.',
      )
      .with()
  }

  /**
   * Reads the pair, and from then on calls `renewed` with every new one. Rejects with a `HomeostatError` with code
   * `PAGE_CERTIFICATE` when no usable pair exists.
   */
  async start(renewed: (pair: CertificatePair) => void): Promise<CertificatePair> {
    const first = await this.#read()
    this.#lookAgain(first, renewed)
    return first
  }

  [Symbol.dispose](): void {
    this.#closed = true
    this.#timer?.cancel()
  }

  #lookAgain(current: CertificatePair, renewed: (pair: CertificatePair) => void): void {
    if (this.#closed) return
    this.#timer = this.#clock.schedule(INTERVAL, () => {
      void this.#look(current, renewed).then((pair) => this.#lookAgain(pair, renewed))
    })
  }

  /** Reads the files again, and returns the pair to use from now on. */
  async #look(current: CertificatePair, renewed: (pair: CertificatePair) => void): Promise<CertificatePair> {
    try {
      const pair = await this.#read()
      if (this.#closed || (pair.cert === current.cert && pair.key === current.key)) return current
      renewed(pair)
      this.#log.info({ certFile: this.#files.certFile }, 'a renewed certificate is used')
      return pair
    } catch (error) {
      this.#log.error({ error }, 'the renewed certificate cannot be used; the former one stays in use')
      return current
    }
  }

  async #read(): Promise<CertificatePair> {
    using _ = this.#clock.busy('reading a certificate')
    this.#reads.value++
    try {
      const [cert, key] = await Promise.all([
        readPem(this.#files.certFile, 'certFile'),
        readPem(this.#files.keyFile, 'keyFile'),
      ])
      check({ cert, key }, this.#files)
      return { cert, key }
    } catch (error) {
      this.#errors.value++
      throw error
    }
  }
}

async function readPem(path: string, option: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const why =
      code === 'ENOENT' ? 'does not exist' : code === 'EACCES' ? 'may not be read' : `is unreadable (${code})`
    throw new HomeostatError(
      'PAGE_CERTIFICATE',
      `the file ${path} (tls.${option} of a page) ${why}: correct the path, or mount the Secret that holds it`,
      { cause },
    )
  }
}

function check(pair: CertificatePair, { certFile, keyFile }: PageCertificate): void {
  try {
    createSecureContext(pair)
  } catch (cause) {
    throw new HomeostatError(
      'PAGE_CERTIFICATE',
      `the certificate in ${certFile} and the key in ${keyFile} cannot be used together: both must be PEM, and the key must be the certificate's`,
      { cause },
    )
  }
}
