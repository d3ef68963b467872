import { checkOptionNames, optionNames } from '@homeostat/api'

/** Where a page is served. */
export interface PageOptions {
  /** 0 means any free port. Default: 8080 for metrics, 8081 for health, 8082 for profiling. */
  readonly port?: number | undefined
  /**
   * Default: `127.0.0.1`, which only this machine can reach. A kubelet's probes need the Pod's address, or
   * `0.0.0.0`.
   */
  readonly host?: string | undefined
  /** Serves it over HTTPS. Default: over HTTP. */
  readonly tls?: PageCertificate | undefined
  /**
   * Whether the manager asks the API server to authenticate the reader of the page (a TokenReview of the bearer
   * token) and to authorize them (a SubjectAccessReview to `get` its path). It caches answers for up to five
   * minutes. Pages for probes never need authorization. Default: false.
   */
  readonly authorize?: boolean | undefined
}

/** Files with a certificate and its key, in PEM. They are read again every ten seconds, so that renewed ones are used. */
export interface PageCertificate {
  readonly certFile: string
  readonly keyFile: string
}

/** A request for a page. */
export interface PageRequest {
  readonly method: 'GET' | 'HEAD'
  /** The whole path: `/healthz/ping`. */
  readonly path: string
  /** The path below the page's own: `ping` of `/healthz/ping`. */
  readonly below: string
  readonly query: URLSearchParams
  /** The `Authorization` header. */
  readonly authorization?: string | undefined
  /** Aborts when the client no longer waits for the answer. */
  readonly signal: AbortSignal
}

export interface PageAnswer {
  readonly status: number
  /** Default: plain text. */
  readonly type?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body: string
}

/** A page as a function: a port is one way to serve it. */
export type Page = (request: PageRequest) => PageAnswer | Promise<PageAnswer>

const PAGE_OPTIONS = { port: true, host: true, tls: true, authorize: true } as const
const CERTIFICATE_OPTIONS = { certFile: true, keyFile: true } as const

/** Throws a `HomeostatError` with code `OPTION_UNKNOWN` for an option of a manager's page that does not exist. */
export function checkPageOptions(page: string, options: PageOptions | undefined): void {
  checkOptionNames(options, optionNames<PageOptions>(`the option ${page} of Manager`, PAGE_OPTIONS))
  const known = optionNames<PageCertificate>(`the option ${page}.tls of Manager`, CERTIFICATE_OPTIONS)
  checkOptionNames(options?.tls, known)
}
