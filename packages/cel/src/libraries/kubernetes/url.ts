import { ArrayList } from '../../values/list-value.ts'
import { EntryMap } from '../../values/map-value.ts'
import { overloadsWith, type Library, type Overload } from '../overload.ts'
import { opaqueType } from '../../types/type.ts'
import { fail, OpaqueValue, type Value } from '../../values/value.ts'
import { parseRequestUri, parseUrl, type UrlParts } from './request-uri.ts'

const overload = overloadsWith<{ 'kubernetes.URL': UrlValue }>()

const URL_TYPE = opaqueType('kubernetes.URL')

class UrlValue extends OpaqueValue {
  readonly type = URL_TYPE
  readonly text: string
  readonly parts: UrlParts

  constructor(text: string, parts: UrlParts) {
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
  const part = (name: string, id: string, read: (parts: UrlParts) => string): Overload =>
    overload(name, id, `${type}.() -> string`, (value) => read(value.parts))
  return {
    overloads: [
      overload('url', 'string_to_url', `(string) -> ${type}`, (text) => {
        const parts = parseUrl(text)
        if (parts instanceof Error)
          return fail(`URL parse error during conversion from string: ${parts.message}`)
        return new UrlValue(text, parts)
      }),
      overload('isURL', 'is_url_string', '(string) -> bool', (text) => {
        return !(parseRequestUri(text) instanceof Error)
      }),
      part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
      part('getHost', 'url_get_host', ({ host }) => host),
      part('getHostname', 'url_get_hostname', ({ host }) => splitHost(host)[0].replace(/^\[(.*)\]$/, '$1')),
      part('getPort', 'url_get_port', ({ host }) => splitHost(host)[1]),
      part('getEscapedPath', 'url_get_escaped_path', ({ path }) => escapePath(path)),
      overload('getQuery', 'url_get_query', `${type}.() -> map(string, list(string))`, (value) =>
        parseQuery(value.parts.query),
      ),
    ],
  }
}

function splitHost(host: string): readonly [name: string, port: string] {
  const found = /^(.*):(\d*)$/.exec(host)
  if (!found || (host.startsWith('[') && !found[1]!.endsWith(']'))) return [host, '']
  return [found[1]!, found[2]!]
}

/** Escapes characters that a path may not contain. Existing escapes stay. */
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
