import { parseAddress } from './address.ts'

/** The parts of a URL as they were written. */
export interface UrlParts {
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string
}

/** The parts of an absolute URL or path, or its error in the words of the API's messages. A `#` has no meaning. */
export function parseRequestUri(text: string): UrlParts | Error {
  return parse(text, text, true)
}

/** The parts of a URI that {@link parseRequestUri} accepts, without its fragment. */
export function parseUrl(text: string): UrlParts | Error {
  const checked = parseRequestUri(text)
  if (checked instanceof Error) return checked
  const mark = text.indexOf('#')
  if (mark < 0) return parse(text, text, false)
  const escape = escapeProblem(text.slice(mark + 1))
  const parts = parse(text, text.slice(0, mark), false)
  return parts instanceof Error || !escape ? parts : problemOf(text, escape)
}

/** The parts of any URL, which may be a path alone, without its fragment. */
export function parseAnyUrl(text: string): UrlParts | Error {
  const mark = text.indexOf('#')
  const before = mark < 0 ? text : text.slice(0, mark)
  const parts = parse(before, before, false)
  const escape = mark < 0 ? undefined : escapeProblem(text.slice(mark + 1))
  return parts instanceof Error || !escape ? parts : problemOf(text, escape)
}

function problemOf(text: string, detail: string): Error {
  return new Error(`parse ${JSON.stringify(text)}: ${detail}`)
}

/** Parses `text`; problems name `whole`. Only a URL of a request must be absolute, and has no host without a scheme. */
function parse(whole: string, text: string, ofRequest: boolean): UrlParts | Error {
  const problem = (detail: string): Error => problemOf(whole, detail)
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return problem('net/url: invalid control character in URL')
  if (text === '' && ofRequest) return problem('empty url')
  if (text === '*') return { scheme: '', host: '', path: '*', query: '' }
  if (text.startsWith(':')) return problem('missing protocol scheme')
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]
  const scheme = found?.toLowerCase() ?? ''
  let rest = text.slice(found === undefined ? 0 : found.length + 1)
  const mark = rest.indexOf('?')
  const query = mark < 0 ? '' : rest.slice(mark + 1)
  if (mark >= 0) rest = rest.slice(0, mark)
  if (!rest.startsWith('/')) {
    // Without a slash the rest is opaque: `mailto:a@b`.
    if (scheme !== '') return { scheme, host: '', path: '', query }
    if (ofRequest) return problem('invalid URI for request')
    if (/^[^/]*:/.test(rest)) return problem('first path segment in URL cannot contain colon')
  }
  let host = ''
  if (rest.startsWith('//') && (scheme !== '' || (!ofRequest && !rest.startsWith('///')))) {
    const end = rest.indexOf('/', 2)
    const authority = parseAuthority(scheme, rest.slice(2, end < 0 ? undefined : end))
    if (authority instanceof Error) return problem(authority.message)
    host = authority
    rest = end < 0 ? '' : rest.slice(end)
  }
  const escape = escapeProblem(rest)
  return escape ? problem(escape) : { scheme, host, path: rest, query }
}

/** The error of the first invalid escape. */
function escapeProblem(text: string): string | undefined {
  const found = /%(?![0-9A-Fa-f]{2}).{0,2}/su.exec(text)
  return found ? `invalid URL escape ${JSON.stringify(found[0])}` : undefined
}

/** The host in an authority, without its user. */
function parseAuthority(scheme: string, authority: string): string | Error {
  const at = authority.lastIndexOf('@')
  const host = parseHost(scheme, authority.slice(at + 1))
  if (at < 0 || host instanceof Error) return host
  const user = authority.slice(0, at)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return new Error('net/url: invalid userinfo')
  const escape = escapeProblem(user.replace(':', '/'))
  return escape ? new Error(escape) : host
}

function parseHost(scheme: string, host: string): string | Error {
  const bracket = host.lastIndexOf('[')
  if (bracket > 0) return new Error('invalid IP-literal')
  if (bracket === 0) return parseLiteral(host)
  // In HTTP a host has one colon at most; databases list several hosts, each with its port.
  const colon = /^https?$/.test(scheme) ? host.indexOf(':') : host.lastIndexOf(':')
  if (colon >= 0 && !isPort(host.slice(colon))) return portProblem(host.slice(colon))
  return unescapeHost(host)
}

/** An IPv6 address in brackets, perhaps with a zone and a port. */
function parseLiteral(host: string): string | Error {
  const end = host.lastIndexOf(']')
  if (end < 0) return new Error("missing ']' in host")
  const port = host.slice(end + 1)
  if (!isPort(port)) return portProblem(port)
  const zone = host.indexOf('%25')
  const name = unescapeHost(host.slice(1, zone < 0 ? end : zone))
  if (name instanceof Error) return name
  const address = parseAddress(name)
  if (address instanceof Error) return new Error(`invalid host: ${address.message}`)
  if (address.size === 32) return new Error('invalid IP-literal')
  if (zone < 0) return `[${name}]${port}`
  const escape = escapeProblem(host.slice(zone, end))
  return escape ? new Error(escape) : `[${name}${decodeBytes(host.slice(zone, end))}]${port}`
}

function isPort(text: string): boolean {
  return /^(:\d*)?$/.test(text)
}

function portProblem(port: string): Error {
  return new Error(`invalid port ${JSON.stringify(port)} after host`)
}

/** Decodes the escapes of a host. Only bytes beyond ASCII and `%` may be escaped. */
function unescapeHost(host: string): string | Error {
  for (const [part] of host.matchAll(/%.{0,2}|./gsu)) {
    if (part.startsWith('%')) {
      if (!/^%([89A-Fa-f][0-9A-Fa-f]|25)$/.test(part))
        return new Error(`invalid URL escape ${JSON.stringify(part)}`)
    } else if (part <= '\u007f' && !/[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/.test(part)) {
      return new Error(`invalid character ${JSON.stringify(part)} in host name`)
    }
  }
  return decodeBytes(host)
}

function decodeBytes(text: string): string {
  if (!text.includes('%')) return text
  const bytes = [...text.matchAll(/%([0-9A-Fa-f]{2})|[^%]+/gsu)].flatMap(([part, code]) =>
    code === undefined ? [...new TextEncoder().encode(part)] : [Number.parseInt(code, 16)],
  )
  return new TextDecoder().decode(Uint8Array.from(bytes))
}
