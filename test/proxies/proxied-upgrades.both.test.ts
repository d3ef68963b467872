import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEchoBackend, type EchoBackend } from './echo-backend.ts'
import { converse, create, patch, type RawAnswer } from './raw-exchange.ts'
import { REACHABLE, startReachableServer, type ReachableServer } from './reachable-server.ts'

let server: ReachableServer
let http: EchoBackend
let https: EchoBackend
const CORE = '/api/v1/namespaces/default'

beforeAll(async () => {
  http = await startEchoBackend()
  https = await startEchoBackend({ tls: true })
  server = await startReachableServer()
  await create(server, `${CORE}/serviceaccounts`, { metadata: { name: 'default' } }).catch(() => undefined)
  const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: http.port }] }]
  const spec = { containers, automountServiceAccountToken: false }
  await create(server, `${CORE}/pods`, { metadata: { name: 'p' }, spec })
  const status = { podIP: REACHABLE, podIPs: [{ ip: REACHABLE }] }
  await patch(server, `${CORE}/pods/p/status`, { status })
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await http?.[Symbol.asyncDispose]()
  await https?.[Symbol.asyncDispose]()
})

interface Conversation {
  readonly status: number
  readonly headers: object
  readonly body: string
  /** The requests that the backend got. */
  readonly seen?: unknown
}

const VARIABLE = /^(audit-id|date|connection|content-length|x-kubernetes-pf-.*|cache-control)$/

/** An answer without what differs from run to run. */
function stableAnswer({ status, headers, body }: RawAnswer): Conversation {
  const { 'x-seen': seen, ...rest } = headers
  const kept = Object.entries(rest).filter(([name]) => !VARIABLE.test(name))
  const own = new URL(server.url).host
  const stable = (text: string): string =>
    text.replaceAll(own, 'SERVER').replaceAll(/dialing backend: .*?"/g, 'dialing backend: …"')
  const request = typeof seen === 'string' && JSON.parse(stable(Buffer.from(seen, 'base64').toString()))
  return {
    status,
    headers: Object.fromEntries(kept),
    body: stable(body.toString()).trim(),
    ...(request && { seen: request as unknown }),
  }
}

const P = `${CORE}/pods/p/proxy`

it.each([
  [
    'a protocol of any name',
    `${P}/echo/a%20b?c=d%2F`,
    'echo',
    { 'x-own': '1', 'x-forwarded-for': '192.0.2.1' },
  ],
  ['a WebSocket', `${P}/ws`, 'websocket', { 'sec-websocket-key': 'x', 'sec-websocket-version': '13' }],
  ['a protocol at the root without its slash', P, 'echo', {}],
  ['a protocol at the root', `${P}/`, 'echo', {}],
  ['a protocol over HTTPS', `${CORE}/pods/https:p:HTTPS/proxy/x`, 'echo', {}],
  ['a refusal', `${P}/refuse`, 'echo', {}],
  ['an answer that changes no protocol', `${P}/ignore`, 'echo', {}],
  ['a port without a listener', `${CORE}/pods/p:1/proxy/x`, 'echo', {}],
] as const)('passes on: %s', async (_title, path, upgrade, headers) => {
  const answer = await converse(server, {
    path: path.replace('HTTPS', String(https.port)),
    headers: { upgrade, 'user-agent': 'test', ...headers },
  })
  expect(stableAnswer(answer)).toMatchSnapshot()
})
