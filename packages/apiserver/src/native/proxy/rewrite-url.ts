import { escapePath, joinPaths, parseUrl, unescapePath, UrlProblem, writeUrl } from './url-text.ts'

/** The places between which links and redirections are rewritten. */
export interface LinkBase {
  /** The path of the proxy, which links get in front. */
  readonly prefix: string
  /** The address and port that the request was passed on to. */
  readonly targetHost: string
  /** The host in the client's request. */
  readonly requestHost: string
}

/**
 * Rewrites a URL of a page or a `Location` header, so that a URL of the same server leads through the proxy. Relative
 * URLs and those of other hosts do not change. Returns a problem where the text is not a URL.
 */
export function rewriteUrl(text: string, { prefix, targetHost, requestHost }: LinkBase): string | UrlProblem {
  const url = parseUrl(text)
  if (url instanceof UrlProblem) return url
  const { host = '' } = url
  const elsewhere = host !== '' && host !== targetHost && host !== requestHost
  if (elsewhere || !url.path.startsWith('/')) return writeUrl(url)
  if (host !== requestHost) {
    url.scheme = ''
    url.host = undefined
  }
  const path = unescapePath(url.path)
  if (path.startsWith(prefix)) return writeUrl(url)
  return writeUrl({ ...url, path: escapePath(`${joinPaths(prefix, path)}${path.endsWith('/') ? '/' : ''}`) })
}
