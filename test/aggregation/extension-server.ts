import { once } from 'node:events'
import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { CertificateAuthority } from '@homeostat/api/certificates'
import { discoveryOf, openApiOf, resourceListOf, swaggerOf } from './extension-documents.ts'

/** The behaviour of an extension API server. */
export type Behaviour =
  /** Serves all forms of discovery and of OpenAPI. */
  | 'full'
  /** Serves only what servers have served always: no aggregated discovery, and OpenAPI v2. */
  | 'legacy'
  /** Answers everything with this status. */
  | 403
  | 302
  /** Closes each connection without an answer. */
  | 'breaks'
  /** Takes requests and answers none. */
  | 'silent'
  /** Speaks HTTP without TLS. */
  | 'plain'

/** An API server of another program, on a port of this machine. */
export interface ExtensionServer extends AsyncDisposable {
  readonly port: number
}

const VALIDITY = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-12-31T23:59:59Z' }

/** The authority that signs certificates of extension API servers. */
export function extensionAuthority(): Promise<CertificateAuthority> {
  return CertificateAuthority.create('extensions', VALIDITY)
}

/** Starts an extension API server. Its certificate is for the Service of this name in the namespace `default`. */
export async function startExtensionServer(
  authority: CertificateAuthority,
  service: string,
  behaviour: Behaviour,
): Promise<ExtensionServer> {
  const listen = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void answer(behaviour, incoming, outgoing)
  }
  const { key, certificate: cert } = await authority.forServer(service, [`${service}.default.svc`], VALIDITY)
  const server =
    behaviour === 'plain'
      ? createPlainServer(listen)
      : // The test looks at the certificate itself.
        createServer({ key, cert, requestCert: true, rejectUnauthorized: false }, listen)
  server.on('upgrade', upgrade)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close }
}

async function answer(
  behaviour: Behaviour,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (behaviour === 'silent') return
  if (behaviour === 'breaks') return void incoming.socket.destroy()
  if (behaviour === 403) return send(outgoing, 403, 'text/plain', 'not you')
  if (behaviour === 302) return void outgoing.writeHead(302, { location: '/elsewhere' }).end()
  const url = new URL(incoming.url ?? '/', 'https://extension')
  const document = documentAt(behaviour, url.pathname, incoming.headers.accept ?? '')
  if (document) {
    if (incoming.headers['if-none-match'] === document.etag) return void outgoing.writeHead(304).end()
    outgoing.setHeader('etag', document.etag)
    return send(outgoing, 200, document.type, JSON.stringify(document.body))
  }
  const [, , , , resource, name] = url.pathname.split('/')
  if (resource !== 'things') return send(outgoing, 404, 'text/plain', 'nothing here')
  if (url.searchParams.get('watch') === 'true') return watch(outgoing)
  await answerThing(name ?? '', incoming, outgoing)
}

interface Document {
  readonly type: string
  readonly etag: string
  readonly body: object
}

/** The documents by which the server says what it serves. */
function documentAt(behaviour: Behaviour, path: string, accept: string): Document | undefined {
  const document = (body: object, type = 'application/json'): Document => ({ type, etag: `"${path}"`, body })
  const group = `${behaviour}.example.com`
  if (path === `/apis/${group}/v1`) return document(resourceListOf(`${group}/v1`))
  if (path === '/openapi/v2') return document(swaggerOf(group))
  if (behaviour !== 'full') return undefined
  if (path === `/apis/${group}/v1beta1`) return document(resourceListOf(`${group}/v1beta1`))
  if (path === '/apis' && accept.includes('as=APIGroupDiscoveryList')) {
    const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    return document(discoveryOf(group), type)
  }
  if (path === '/openapi/v3') {
    const at = `apis/${group}/v1`
    return document({ paths: { [at]: { serverRelativeURL: `/openapi/v3/${at}?hash=ABC` } } })
  }
  return path === `/openapi/v3/apis/${group}/v1` ? document(openApiOf(group)) : undefined
}

/** Answers a request for an object in a way that its name says; by default with the request itself. */
async function answerThing(name: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  switch (name) {
    case 'missing':
      return send(outgoing, 404, 'application/json', '{"kind":"Status","apiVersion":"v1","code":404}')
    case 'redirect':
      return void outgoing.writeHead(307, { location: '/apis/full.example.com/v1/things/x' }).end()
    case 'break':
      return void incoming.socket.destroy()
    case 'break-off':
      outgoing.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
      return void outgoing.write('only this', () => incoming.socket.destroy())
    case 'nothing':
      return void outgoing.writeHead(204).end()
    case 'headers':
      outgoing.setHeader('set-cookie', ['a=1', 'b=2'])
      outgoing.setHeader('warning', '299 - "look out"')
      outgoing.setHeader('cache-control', 'max-age=60')
      outgoing.setHeader('connection', 'x-hop')
      outgoing.setHeader('x-hop', 'gone')
      outgoing.setHeader('access-control-allow-origin', '*')
      return send(outgoing, 200, 'text/plain', 'headers')
    case 'zipped':
      outgoing.setHeader('content-encoding', 'gzip')
      return send(outgoing, 200, 'text/plain', gzipSync('zipped text'))
    case 'busy':
      outgoing.setHeader('retry-after', '7')
      return send(outgoing, 429, 'text/plain', 'later')
    default:
      return echo(incoming, outgoing)
  }
}

async function echo(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const { method, url, rawHeaders } = incoming
  const lines = rawHeaders.flatMap((header, at) =>
    at % 2 === 0 ? [`${header.toLowerCase()}: ${rawHeaders[at + 1]}`] : [],
  )
  const text = JSON.stringify({
    method,
    url,
    certificate: commonName(incoming),
    headers: lines.toSorted(),
    body: body.length < 1_000 ? body.toString() : `${body.length} bytes`,
  })
  send(outgoing, 200, 'application/json', text)
}

function commonName({ socket }: IncomingMessage): unknown {
  return (socket as TLSSocket).getPeerCertificate?.()?.subject?.CN
}

/** Sends one event at once and one more when the client is known to have the headers, and ends. */
function watch(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'application/json;stream=watch' })
  const event = (type: string): string => `${JSON.stringify({ type, object: { kind: 'Thing' } })}\n`
  outgoing.write(event('ADDED'), () => outgoing.end(event('DELETED')))
}

function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', () => undefined)
  if (incoming.url?.includes('refuse')) {
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: 3\r\n\r\nno!')
    return
  }
  const { url, headers } = incoming
  const seen = { url, user: headers['x-remote-user'], certificate: commonName(incoming) }
  const text = Buffer.from(JSON.stringify(seen)).toString('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${headers.upgrade}\r\nx-seen: ${text}\r\n\r\nhello `,
  )
  if (head.length > 0) socket.write(head)
  socket.pipe(socket)
}

function send(outgoing: ServerResponse, status: number, type: string, body: string | Buffer): void {
  outgoing.writeHead(status, { 'content-type': type }).end(body)
}
