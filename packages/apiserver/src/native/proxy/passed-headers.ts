import { isPortRequest } from '../../http/index.ts'
import type { ApiRequest } from '@homeostat/api'

/** Headers of one connection. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that hold a client's credentials or identity. */
const OF_IDENTITY = /^(?:authorization|impersonate-.*|x-remote-(?:user|uid|group|extra-.*))$/

/** The headers of a request that are passed on: without those of its connection and of its client's identity. */
export function passedHeaders(request: ApiRequest): Record<string, string> {
  const { headers } = request
  const named = namesIn(headers['connection'])
  const passed = Object.entries(headers).filter(
    ([name]) => !OF_CONNECTION.has(name) && !named.has(name) && !OF_IDENTITY.test(name) && name !== 'expect',
  )
  const forwardedFor = [
    headers['x-forwarded-for'],
    isPortRequest(request) ? request.remoteAddress : undefined,
  ]
  const trailers = namesIn(headers['te']).has('trailers')
  return {
    ...Object.fromEntries(passed),
    ...(forwardedFor.some(Boolean) && { 'x-forwarded-for': forwardedFor.filter(Boolean).join(', ') }),
    ...(trailers && { te: 'trailers' }),
  }
}

/** Headers by which an answer may allow pages of other origins to read it. The proxy drops them. */
const OF_SHARING = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
])

/** The headers of an answer that are passed on to the client: those that occur once, and the others. */
export function answeredHeaders(distinct: Readonly<NodeJS.Dict<string[]>>): {
  readonly headers: Readonly<Record<string, string>>
  readonly repeatedHeaders: ReadonlyMap<string, string[]>
} {
  const named = namesIn(distinct['connection']?.join(','))
  const passed = Object.entries(distinct).filter(
    ([name]) => !OF_CONNECTION.has(name) && !OF_SHARING.has(name) && !named.has(name),
  )
  const once = passed.flatMap(([name, values = []]) => (values.length === 1 ? [[name, values[0] ?? '']] : []))
  const repeated = passed.flatMap(([name, values = []]) =>
    values.length > 1 ? [[name, values] as const] : [],
  )
  return { headers: Object.fromEntries(once), repeatedHeaders: new Map(repeated) }
}

function namesIn(header: string | undefined): ReadonlySet<string> {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase())
  // A `Connection` header with `close` names no other headers.
  return new Set(names.includes('close') ? [] : names.filter(Boolean))
}
