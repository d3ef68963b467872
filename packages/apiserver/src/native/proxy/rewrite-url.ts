import { escapePath, joinPaths, parseUrl, unescapePath, UrlProblem, writeUrl } from './url-text.ts'

/** Where the links of a page, and redirections, lead. */
export interface LinkBase {
  /** The path of the proxy, which links get in front. */
  readonly prefix: string
  /** The address and port that the request was passed on to. */
  readonly targetHost: string
  /** The host that the client asked. */
  readonly requestHost: string
}

/**
 * A URL of a page or a `Location` header, so that it leads through the proxy again where it leads to the same server. Relative
 * URLs, and those of other hosts, stay. Returns a problem where the text cannot be read as a URL.
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
