import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { CertificateAuthority, type Certificate } from '@homeostat/api/certificates'

/** A server that stands for what runs in a Pod, on a port of this machine. */
export interface EchoBackend extends AsyncDisposable {
  readonly port: number
}

const PAGE = `<!DOCTYPE html>
<html manifest="/cache.manifest"><head profile="/profile"><base href="/base/"><link rel="stylesheet" href='/style.css'>
<script src="/app.js">if (a < b) document.write("<a href='/inner'>")</script><style>a { background: url(/x.png) }</style></head>
<body background=/back.png><!-- <a href="/comment"> --><A HREF="/upper" title="/title">Up &amp; down</A>
<a href="relative">r</a><a href="//other.example.com/x">o</a><a href="http://other.example.com/x">o</a><a href="#top">t</a>
<a href="/q?a=1&amp;b=2#part">q</a><img src="/i.png" usemap="#map"/><form action="/send"><input type=image src="/b.png"></form>
<textarea><a href="/inside"></textarea><a href="/with space">s</a><a href="">e</a><a href>n</a></body></html>
`

/**
 * Answers with what the server received; some paths answer in other ways. Every body has a type: where one is missing, Go guesses
 * it or not, depending on when the parts of the answer arrive.
 */
const echo: RequestListener = (incoming, outgoing) => void answer(incoming, outgoing)

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://backend')
  switch (url.pathname) {
    case '/redirect':
      outgoing.writeHead(Number(url.searchParams.get('code') ?? 302), {
        'content-type': 'text/plain',
        location: (url.searchParams.get('to') ?? '').replace('HOST', incoming.headers.host ?? ''),
      })
      return void outgoing.end('moved')
    case '/page':
      return void outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE)
    case '/zipped-page':
      outgoing.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      return void outgoing.end(gzipSync(PAGE))
    case '/other-encoding':
      outgoing.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'br' })
      return void outgoing.end('<a href="/x">')
    case '/teapot':
      return void outgoing
        .writeHead(418, { 'content-type': 'text/plain', 'x-own': 'yes' })
        .end('short and stout')
    case '/nothing':
      return void outgoing.writeHead(204).end()
    case '/cookies':
      outgoing.setHeader('content-type', 'text/plain')
      outgoing.setHeader('set-cookie', ['a=1; Path=/', 'b=2; Domain=example.com'])
      return void outgoing.end('cookies')
    case '/hop':
      outgoing.writeHead(200, {
        'content-type': 'text/plain',
        connection: 'x-hop',
        'x-hop': 'gone',
        'x-kept': 'kept',
        'keep-alive': 'timeout=9',
        'cache-control': 'max-age=60',
        'proxy-authenticate': 'Basic',
        'access-control-allow-origin': '*',
      })
      return void outgoing.end('hop')
    case '/reset':
      return void incoming.socket.destroy()
    default: {
      const chunks: Buffer[] = []
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
      const { method, url: path, rawHeaders } = incoming
      const lines = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [`${name.toLowerCase()}: ${rawHeaders[at + 1]}`] : [],
      )
      const text = JSON.stringify({
        method,
        path,
        headers: lines.toSorted(),
        body: Buffer.concat(chunks).toString(),
      })
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(text)
    }
  }
}

/** Changes to a protocol that sends back what it gets. Some paths refuse in some way. */
function upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', () => undefined)
  if (incoming.url?.startsWith('/refuse')) {
    socket.end(
      'HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: 3\r\nx-own: yes\r\n\r\nno!',
    )
    return
  }
  if (incoming.url?.startsWith('/ignore')) {
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok')
    return
  }
  const { method, url, headers } = incoming
  const seen = Buffer.from(JSON.stringify({ method, url, headers })).toString('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${incoming.headers.upgrade}\r\nx-seen: ${seen}\r\n\r\nhello `,
  )
  if (head.length > 0) socket.write(head)
  socket.pipe(socket)
}

async function ownCertificate(): Promise<Certificate> {
  const validity = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-12-31T23:59:59Z' }
  const authority = await CertificateAuthority.create('untrusted', validity)
  return authority.forServer('backend', ['127.0.0.1'], validity)
}

/** Starts a backend on loopback; with `tls` it speaks HTTPS with a certificate that no server trusts. */
export async function startEchoBackend({ tls = false } = {}): Promise<EchoBackend> {
  const certificate = tls ? await ownCertificate() : undefined
  const server = certificate
    ? createTlsServer({ key: certificate.key, cert: certificate.certificate }, echo)
    : createServer(echo)
  server.on('upgrade', upgrade)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close }
}
