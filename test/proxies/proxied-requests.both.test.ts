import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEchoBackend, type EchoBackend } from './echo-backend.ts'
import { create, exchange, patch, type RawAnswer, type RawRequest } from './raw-exchange.ts'
import { REACHABLE, startReachableServer, type ReachableServer } from './reachable-server.ts'

let server: ReachableServer
let http: EchoBackend
let https: EchoBackend
const CORE = '/api/v1/namespaces/default'

beforeAll(async () => {
  http = await startEchoBackend()
  https = await startEchoBackend({ tls: true })
  server = await startReachableServer()
  const containers = [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: http.port }] }]
  for (const name of ['p', 'portless']) {
    const own = name === 'p' ? containers : [{ name: 'c', image: 'i' }]
    const spec = { containers: own, automountServiceAccountToken: false }
    await create(server, `${CORE}/serviceaccounts`, { metadata: { name: 'default' } }).catch(() => undefined)
    await create(server, `${CORE}/pods`, { metadata: { name }, spec })
    await patch(server, `${CORE}/pods/${name}/status`, {
      status: { podIP: REACHABLE, podIPs: [{ ip: REACHABLE }] },
    })
  }
  const ports = [
    { name: 'http', port: 80, targetPort: http.port },
    { name: 'https', port: 443, targetPort: https.port },
    { name: 'dead', port: 81, targetPort: 1 },
  ]
  await create(server, `${CORE}/services`, { metadata: { name: 's' }, spec: { ports } })
  const endpoints = ports.map(({ name, targetPort }) => ({ name, port: targetPort }))
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'p' }
  const subsets = [{ addresses: [{ ip: REACHABLE, targetRef }], ports: endpoints }]
  await create(server, `${CORE}/endpoints`, { metadata: { name: 's' }, subsets })
  await create(server, `${CORE}/services`, { metadata: { name: 'no-pods' }, spec: { ports } })
  const others = [{ addresses: [{ ip: REACHABLE }], ports: endpoints }]
  await create(server, `${CORE}/endpoints`, { metadata: { name: 'no-pods' }, subsets: others })
  for (const name of ['n', 'loop']) {
    await create(server, '/api/v1/nodes', { metadata: { name } })
    const addresses = [{ type: 'InternalIP', address: name === 'n' ? REACHABLE : '127.0.0.1' }]
    const daemonEndpoints = { kubeletEndpoint: { Port: https.port } }
    await patch(server, `/api/v1/nodes/${name}/status`, { status: { addresses, daemonEndpoints } })
  }
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await http?.[Symbol.asyncDispose]()
  await https?.[Symbol.asyncDispose]()
})

const P = `${CORE}/pods/p/proxy`
const S = `${CORE}/services/s:http/proxy`

const REQUESTS: Readonly<Record<string, RawRequest>> = {
  'a GET of a Pod': { path: `${P}/a/b?c=d` },
  'a query as it was sent': { path: `${P}/q?flag&a=b+c%20d&a=%2F&empty=&x=[1]` },
  'an encoded path': { path: `${P}/a%20b%2Fc/%C3%A9/d+e/;x=1/$&@:,=` },
  'a path with dots and empty segments': { path: `${P}/a//b/./c/../d/` },
  'a path that climbs out': { path: `${P}/../../x` },
  'a trailing slash': { path: `${P}/a/` },
  'the root': { path: `${P}/` },
  'the root without its slash': { path: P },
  'the root without its slash, with a query': { path: `${P}?a=b` },
  'a HEAD of the root without its slash': { path: P, method: 'HEAD' },
  'a POST to the root without its slash': { path: P, method: 'POST', body: 'x' },
  'a POST': { path: `${P}/post`, method: 'POST', body: 'text', headers: { 'content-type': 'text/plain' } },
  'a PUT': {
    path: `${P}/put`,
    method: 'PUT',
    body: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  },
  'a PATCH': { path: `${P}/patch`, method: 'PATCH', body: 'patch' },
  'a DELETE': { path: `${P}/delete`, method: 'DELETE' },
  'a DELETE with a body': {
    path: `${P}/delete`,
    method: 'DELETE',
    body: 'body',
    headers: { 'content-length': '4' },
  },
  'a HEAD': { path: `${P}/head`, method: 'HEAD' },
  'an OPTIONS': { path: `${P}/options`, method: 'OPTIONS' },
  'a body in YAML': {
    path: `${P}/yaml`,
    method: 'POST',
    body: 'a: [',
    headers: { 'content-type': 'application/yaml', accept: 'application/yaml' },
  },
  'headers of one connection': {
    path: `${P}/headers`,
    headers: {
      connection: 'x-private, keep-alive',
      'x-private': '1',
      'keep-alive': '5',
      te: 'trailers, deflate',
      'x-public': '2',
      'proxy-authorization': 'Basic x',
      'x-forwarded-for': '192.0.2.1',
      cookie: 'a=b',
      'x-forwarded-host': 'client',
      'x-forwarded-uri': '/client',
      'accept-encoding': 'identity',
      'audit-id': '00000000-0000-0000-0000-000000000001',
      'x-remote-user': 'jane',
    },
  },
  'a request of another user': {
    path: `${P}/other`,
    headers: { 'impersonate-user': 'jane', 'impersonate-group': 'system:masters', 'accept-encoding': 'gzip' },
  },
  'a page with links': { path: `${P}/page` },
  'a page with links, compressed': { path: `${P}/zipped-page`, headers: { 'accept-encoding': 'gzip' } },
  'a page of a Service': { path: `${S}/page` },
  'an error of the Pod': { path: `${P}/teapot` },
  'an answer without a body': { path: `${P}/nothing` },
  'several cookies': { path: `${P}/cookies` },
  'headers of one connection in the answer': { path: `${P}/hop` },
  'a connection that breaks': { path: `${P}/reset` },
  'a redirection to a path': { path: `${P}/redirect?to=/other/` },
  'a redirection to a path with a query': { path: `${P}/redirect?to=${encodeURIComponent('/x?a=b#c')}` },
  'a redirection to a relative path': { path: `${P}/redirect?to=other` },
  'a redirection to the own host': { path: `${P}/redirect?to=${encodeURIComponent('http://HOST/own')}` },
  'a redirection to another host': {
    path: `${P}/redirect?to=${encodeURIComponent('https://example.com/x')}`,
  },
  'a redirection that has the prefix': { path: `${P}/redirect?to=${encodeURIComponent(`${P}/x`)}` },
  'a redirection that no URL is': { path: `${P}/redirect?to=${encodeURIComponent('http://[::1')}` },
  'a permanent redirection of a POST': { path: `${P}/redirect?to=/x&code=308`, method: 'POST', body: 'b' },
  'a Pod by its port': { path: `${CORE}/pods/p:HTTP/proxy/x` },
  'a Pod by HTTPS': { path: `${CORE}/pods/https:p:HTTPS/proxy/x` },
  'a Pod by HTTP where HTTPS is spoken': { path: `${CORE}/pods/p:HTTPS/proxy/x` },
  'a Pod by a port without a listener': { path: `${CORE}/pods/p:1/proxy/x` },
  'a Pod that declares no port': { path: `${CORE}/pods/portless/proxy/x` },
  'a Service by the name of a port': { path: `${S}/x` },
  'a Service by the number of a port': { path: `${CORE}/services/s:80/proxy/x` },
  'a Service by HTTPS': { path: `${CORE}/services/https:s:443/proxy/x` },
  'a Service by HTTPS and the name of a port': { path: `${CORE}/services/https:s:https/proxy/x` },
  'a Service without a port': { path: `${CORE}/services/s/proxy/x` },
  'a Service whose port has no listener': { path: `${CORE}/services/s:dead/proxy/x` },
  'a Service with addresses of no Pod': { path: `${CORE}/services/no-pods:http/proxy/x` },
  'a Service, the root without its slash': { path: S },
  'a node by its kubelet': { path: '/api/v1/nodes/n/proxy/healthz?a=b' },
  'a node, the root': { path: '/api/v1/nodes/n/proxy/' },
  'a node, the root without its slash': { path: '/api/v1/nodes/n/proxy' },
  'a POST to a node': { path: '/api/v1/nodes/n/proxy/run', method: 'POST', body: 'cmd=ls' },
  'a node by another port': { path: '/api/v1/nodes/n:HTTP/proxy/x' },
  'a node by the port of its kubelet': { path: '/api/v1/nodes/n:HTTPS/proxy/x' },
  'a node by HTTPS': { path: '/api/v1/nodes/https:n:HTTPS/proxy/x' },
  'a page of a node': { path: '/api/v1/nodes/n:HTTP/proxy/page' },
  'a node with an address of loopback': { path: '/api/v1/nodes/loop/proxy/x' },
}

it.each(Object.entries(REQUESTS))('passes on: %s', async (_title, request) => {
  const path = request.path.replace('HTTPS', String(https.port)).replace('HTTP', String(http.port))
  const answer = await exchange(server, { ...request, path })
  expect(comparable(answer)).toMatchSnapshot()
})

/** Values that differ in each run (times, ids), and those by which each server describes its own connection. */
const VARIABLE = /^(audit-id|date|x-kubernetes-pf-.*|connection|keep-alive)$/

function comparable({ status, headers, body }: RawAnswer): object {
  const kept = Object.entries(headers).filter(
    ([name]) => !VARIABLE.test(name) && !(name === 'content-length' && body.length === 0),
  )
  const zipped = headers['content-encoding'] === 'gzip'
  const text = zipped ? `gzip of ${body.length > 0}` : stable(body.toString())
  const isJson = text.startsWith('{')
  const fixed = kept.map(([name, value]) => [name, /length/.test(name) ? 'some' : fixedValue(value)])
  return { status, headers: Object.fromEntries(fixed), body: isJson ? JSON.parse(text) : text }
}

function fixedValue(value: string | string[] | undefined): unknown {
  return typeof value === 'string' ? stable(value) : value
}

function stable(text: string): string {
  const own = new URL(server.url).host
  return (
    text
      .replaceAll(own, 'SERVER')
      // The message of the real server depends on the way by which it reaches this machine.
      .replaceAll(
        /proxy error from \S+ while dialing (\S+), code 503: 503 Service Unavailable/g,
        'dial tcp $1: connect: connection refused',
      )
      .replaceAll(new RegExp(`\\b${http.port}\\b`, 'g'), 'HTTP')
      .replaceAll(new RegExp(`\\b${https.port}\\b`, 'g'), 'HTTPS')
      .replaceAll(/(traceparent: ).*?"/g, '$1…"')
      .replaceAll('"connection: close",', '')
      .replaceAll(/"audit-id: [^"]*"/g, '"audit-id: …"')
  )
}
