import { escapePath, joinPaths, unescapePath } from './url-text.ts'

/** The paths of a request that is passed on. */
export interface ProxyPaths {
  /** The path that the other side gets, percent-encoded. */
  readonly target: string
  /** The part of the request's path before it. Links in pages get it as a prefix. */
  readonly prefix: string
  /** The path of the request, for the other side's `X-Forwarded-Uri`. */
  readonly forwarded: string
}

/**
 * The paths for a request. `below` is the path that it names below the proxy, which admission may have changed. Dots
 * and empty segments are resolved, so that no request leaves the path of the proxy.
 */
export function proxyPaths(requestPath: string, below: string): ProxyPaths {
  const whole = unescapePath(requestPath)
  const cleaned = joinPaths(below)
  const location = below.endsWith('/') && !cleaned.endsWith('/') ? `${cleaned}/` : cleaned
  const suffix = whole.endsWith('/') && !location.endsWith('/') ? `${location}/` : location
  const prefix = whole.endsWith(suffix) ? whole.slice(0, whole.length - suffix.length) : whole
  const target = suffix || '/'
  const escaped = escapePath(target)
  const forwarded = `${joinPaths(prefix, escaped)}${target.endsWith('/') ? '/' : ''}`
  return { target: escaped, prefix, forwarded }
}
