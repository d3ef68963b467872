import { ArrayList } from '../list-value.ts'
import { EntryMap } from '../map-value.ts'
import { overload, type Library } from '../overload.ts'
import { opaqueType } from '../type.ts'
import { fail, OpaqueValue, type Value } from '../value.ts'

const URL_TYPE = opaqueType('kubernetes.URL')

/** The parts of a URL as they were written. */
interface Parts {
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string
}

class UrlValue extends OpaqueValue {
  readonly type = URL_TYPE
  readonly text: string
  readonly parts: Parts

  constructor(text: string, parts: Parts) {
    super()
    this.text = text
    this.parts = parts
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && other.text === this.text
  }
}

/** URLs. */
export function urls(): Library {
  const type = 'kubernetes.URL'
  const part = (name: string, id: string, read: (parts: Parts) => string): ReturnType<typeof overload> =>
    overload(name, id, `${type}.() -> string`, (value) => read((value as UrlValue).parts))
  return {
    overloads: [
      overload('url', 'string_to_url', `(string) -> ${type}`, (text) => {
        const parts = parseRequestUri(text as string)
        if (parts instanceof Error)
          return fail(`URL parse error during conversion from string: ${parts.message}`)
        return new UrlValue(text as string, parts)
      }),
      overload('isURL', 'is_url_string', '(string) -> bool', (text) => {
        return !(parseRequestUri(text as string) instanceof Error)
      }),
      part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
      part('getHost', 'url_get_host', ({ host }) => host),
      part('getHostname', 'url_get_hostname', ({ host }) => splitHost(host)[0].replace(/^\[(.*)\]$/, '$1')),
      part('getPort', 'url_get_port', ({ host }) => splitHost(host)[1]),
      part('getEscapedPath', 'url_get_escaped_path', ({ path }) => escapePath(path)),
      overload('getQuery', 'url_get_query', `${type}.() -> map(string, list(string))`, (value) =>
        parseQuery((value as UrlValue).parts.query),
      ),
    ],
  }
}

/** The parts of an absolute URL or path, or what is wrong with it in the words of the API's messages. */
export function parseRequestUri(text: string): Parts | Error {
  const problem = (detail: string): Error => new Error(`parse ${JSON.stringify(text)}: ${detail}`)
  if (text === '') return problem('empty url')
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) return problem('net/url: invalid control character in URL')
  if (text.startsWith(':')) return problem('missing protocol scheme')
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]
  const withoutFragment = text.split('#', 1)[0]!
  let rest = scheme === undefined ? withoutFragment : withoutFragment.slice(scheme.length + 1)
  if (!text.slice(scheme === undefined ? 0 : scheme.length + 1).startsWith('/')) {
    return problem('invalid URI for request')
  }
  const mark = rest.indexOf('?')
  const query = mark < 0 ? '' : rest.slice(mark + 1)
  if (mark >= 0) rest = rest.slice(0, mark)
  let host = ''
  if (rest.startsWith('//') && (scheme !== undefined || !rest.startsWith('///'))) {
    if (scheme !== undefined) {
      const end = rest.indexOf('/', 2)
      host = end < 0 ? rest.slice(2) : rest.slice(2, end)
      rest = end < 0 ? '' : rest.slice(end)
    }
  }
  const authority = checkHost(host)
  if (authority instanceof Error) return problem(authority.message)
  const escape = /%(?![0-9A-Fa-f]{2})(.{0,2})/.exec(rest)
  if (escape) return problem(`invalid URL escape ${JSON.stringify(`%${escape[1]}`)}`)
  return { scheme: scheme?.toLowerCase() ?? '', host: authority, path: rest, query }
}

function checkHost(authority: string): string | Error {
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']')
    if (end < 0) return new Error("missing ']' in host")
    const port = host.slice(end + 1)
    if (port !== '' && !/^:\d*$/.test(port))
      return new Error(`invalid port ${JSON.stringify(port)} after host`)
    return host
  }
  const colon = host.lastIndexOf(':')
  if (colon >= 0 && !/^:\d*$/.test(host.slice(colon))) {
    return new Error(`invalid port ${JSON.stringify(host.slice(colon))} after host`)
  }
  const bad = /[ "<>\\^`{|}]/.exec(host)?.[0]
  return bad === undefined ? host : new Error(`invalid character ${JSON.stringify(bad)} in host name`)
}

function splitHost(host: string): readonly [name: string, port: string] {
  const found = /^(.*):(\d*)$/.exec(host)
  if (!found || (host.startsWith('[') && !found[1]!.endsWith(']'))) return [host, '']
  return [found[1]!, found[2]!]
}

/** What may not stand in a path as it is becomes an escape; what is escaped already stays. */
function escapePath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@!'()*%[\]]/gu, (char) => encodeURIComponent(char))
}

function parseQuery(query: string): Value {
  const values = new Map<string, Value[]>()
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const equals = pair.indexOf('=')
    const name = unescapeQuery(equals < 0 ? pair : pair.slice(0, equals))
    const value = unescapeQuery(equals < 0 ? '' : pair.slice(equals + 1))
    if (name === undefined || value === undefined) continue
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return new EntryMap([...values].map(([name, list]) => [name, new ArrayList(list)]))
}

function unescapeQuery(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
