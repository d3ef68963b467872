/** The parts of a URL in a link or a `Location` header: with or without a host. */
export interface UrlParts {
  scheme: string
  /** With `user@` and the port; undefined where the URL has no `//`. */
  host: string | undefined
  /** Percent-encoded, as it was written. */
  path: string
  /** With its question mark; empty where there is none. */
  query: string
  /** With its hash sign; empty where there is none. */
  fragment: string
}

/** Why a text cannot be read as a URL, in the words of a Kubernetes API server. */
export class UrlProblem {
  readonly message: string

  constructor(url: string, why: string) {
    this.message = `parse ${JSON.stringify(url)}: ${why}`
  }
}

/** Parses a URL as kube-apiserver does, which refuses more than a browser. */
export function parseUrl(text: string): UrlParts | UrlProblem {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text))
    return new UrlProblem(text, 'net/url: invalid control character in URL')
  const [, before = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(text) ?? []
  const [, main = '', query = ''] = /^([^?]*)(\?.*)?$/s.exec(before) ?? []
  const [, scheme = '', rest = ''] = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(.*)$/s.exec(main) ?? []
  const authority = /^\/\/([^/]*)(.*)$/s.exec(rest)
  const path = authority ? (authority[2] ?? '') : rest
  const host = authority?.[1]
  if (host?.startsWith('[') && !host.includes(']')) return new UrlProblem(text, "missing ']' in host")
  if (!scheme && !authority && /^[^/]*:/.test(path)) {
    return new UrlProblem(text, 'first path segment in URL cannot contain colon')
  }
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(path)
  if (wrong) return new UrlProblem(text, `invalid URL escape ${JSON.stringify(wrong[0])}`)
  return { scheme: scheme.toLowerCase(), host, path, query, fragment }
}

/** The URL as text. Encodes a path with characters that a path may not have. */
export function writeUrl({ scheme, host, path, query, fragment }: UrlParts): string {
  const opaque = scheme !== '' && host === undefined && !path.startsWith('/')
  const written = opaque || isEncoded(path) ? path : escapePath(unescapePath(path))
  return `${scheme && `${scheme}:`}${host === undefined ? '' : `//${host}`}${written}${query}${fragment}`
}

/** Percent-decodes a path. Invalid escapes stay as they are. */
export function unescapePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Percent-encodes a path as kube-apiserver does. */
export function escapePath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-_.~$&+,/:;=@]+/gu, (text) =>
    encodeURIComponent(text.toWellFormed()).replaceAll(
      /[!'()*]/g,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  )
}

function isEncoded(path: string): boolean {
  return /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(path)
}

/** Joins paths and resolves empty segments, `.` and `..`; no slash is left at the end. An empty path stays empty. */
export function joinPaths(...paths: readonly string[]): string {
  const joined = paths.filter(Boolean).join('/')
  if (joined === '') return ''
  const rooted = joined.startsWith('/')
  const segments: string[] = []
  for (const segment of joined.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop()
    else if (!rooted) segments.push('..')
  }
  return `${rooted ? '/' : ''}${segments.join('/')}` || '.'
}
