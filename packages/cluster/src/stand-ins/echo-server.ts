import { HomeostatError } from '@homeostat/api'
import type { IncomingMessage } from 'node:http'
import type { Container } from '../images/index.ts'
import { serveHttp } from './http-server.ts'

/** The largest body that comes back. */
const LARGEST_BODY = 1024 ** 2

/** Answers each request with a description of it, as JSON (`ealen/echo-server`). The port is that of the variable PORT, or 80. */
export async function echoServer(container: Container): Promise<number> {
  const port = portOf(container.env['PORT'] ?? '80', 'the variable PORT')
  await serveHttp(
    container,
    port,
    async (request, response) => {
      const body = await bodyOf(request)
      const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s)
      const echo = {
        host: { hostname: request.headers.host ?? '', ip: request.socket.remoteAddress ?? '', ips: [] },
        http: { method: request.method, baseUrl: '', originalUrl: request.url, protocol: 'http' },
        request: {
          params: { 0: path },
          query: Object.fromEntries(new URLSearchParams(query)),
          cookies: {},
          body,
          headers: request.headers,
        },
        // The variables may hold secrets, which have no place in an answer.
        environment: { HOSTNAME: container.hostname },
      }
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(echo))
    },
    () => container.stdout.write(`Listening on port ${port}.\n`),
  )
  return 0
}

/** Answers every request with one text (`hashicorp/http-echo -text=hello -listen=:5678`). */
export async function httpEcho(container: Container): Promise<number> {
  const options = flags([...container.command.slice(1), ...container.args])
  const text = options.get('text') ?? container.env['ECHO_TEXT'] ?? 'hello-world'
  const listen = options.get('listen') ?? ':5678'
  const port = portOf(listen.slice(listen.lastIndexOf(':') + 1), '-listen')
  const status = Number(options.get('status-code') ?? 200)
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new HomeostatError(
      'HTTP_ECHO_OPTION',
      `-status-code ${status} is not valid: give a number from 200 to 599`,
    )
  }
  await serveHttp(
    container,
    port,
    (request, response) => {
      if (request.url === '/health') {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}\n')
        return
      }
      response
        .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'x-app-name': 'http-echo' })
        .end(`${text}\n`)
    },
    () => container.stdout.write(`[INFO] server is listening on :${port}\n`),
  )
  return 0
}

/** `-name=value`, `--name=value` and `-name value`. */
function flags(words: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  for (let at = 0; at < words.length; at++) {
    const match = /^--?([a-z-]+)(?:=(.*))?$/s.exec(words[at] ?? '')
    if (!match?.[1])
      throw new HomeostatError(
        'HTTP_ECHO_OPTION',
        `${words[at]} is not an option of http-echo: it takes -text, -listen and -status-code`,
      )
    found.set(match[1], match[2] ?? words[++at] ?? '')
  }
  return found
}

function portOf(text: string, what: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port
  throw new HomeostatError(
    'ECHO_PORT',
    `${what} is ${JSON.stringify(text)}, which is not a port: give a number from 1 to 65535`,
  )
}

/** JSON and forms as values, everything else as text. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > LARGEST_BODY) return `(more than ${LARGEST_BODY} bytes)`
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text))
  if (!type.startsWith('application/json')) return text === '' ? {} : text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
