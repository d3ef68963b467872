/** Where a page is served. */
export interface PageOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** Default: `127.0.0.1`, which only this machine reaches. A kubelet's probes need the Pod's, or `0.0.0.0`. */
  readonly host?: string | undefined
}

/** What is asked of a page. */
export interface PageRequest {
  /** The path below the page's own: `ping` of `/healthz/ping`. */
  readonly below: string
  readonly query: URLSearchParams
}

export interface PageAnswer {
  readonly status: number
  /** Default: plain text. */
  readonly type?: string | undefined
  readonly body: string
}

/** A page as a function: a port is one way to serve it. */
export type Page = (request: PageRequest) => PageAnswer | Promise<PageAnswer>
