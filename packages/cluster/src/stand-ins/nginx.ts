import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { timestamp } from '@homeostat/api'
import { FileError, type FolderFile, type FolderFiles } from '@homeostat/shell'
import { byteRange } from './byte-range.ts'
import { busybox } from './busybox.ts'
import type { Container } from '../images/index.ts'
import { serveHttp } from './http-server.ts'
import { contentType, errorPage, WELCOME_PAGE } from './nginx-page.ts'

const ROOT = '/usr/share/nginx/html'
const REASONS: Readonly<Record<number, string>> = {
  301: 'Moved Permanently',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Not Allowed',
  416: 'Requested Range Not Satisfiable',
}
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** The result of a request, for the log. */
interface Outcome {
  readonly status: number
  readonly sent: number
}

/**
 * Serves the files below `/usr/share/nginx/html` on port 80, as the image does when it is not configured: mounts are
 * followed as they change. Configuration files are not read; the log warns where some are mounted. A Pod that
 * names another command than nginx gets that of the shell.
 */
export async function nginx(container: Container): Promise<number> {
  const [command] = container.command.length > 0 ? container.command : container.args
  if (
    command !== undefined &&
    !/(?:^|\/)(?:nginx|docker-entrypoint\.sh)$/.test(command) &&
    !command.startsWith('-')
  ) {
    return busybox(container)
  }
  const { files } = container
  makeRoot(files)
  const configured = Object.keys(container.mounts).filter((path) => path.startsWith('/etc/nginx'))
  for (const path of configured) {
    container.stderr.write(
      `${time(container)} [warn] 1#1: ${path} is mounted, but configuration is not read here: files below ${ROOT} are served on port 80\n`,
    )
  }
  await serveHttp(
    container,
    80,
    async (request, response) => log(container, request, await answer(files, request, response)),
    () => container.stderr.write(`${time(container)} [notice] 1#1: start worker processes\n`),
  )
  return 0
}

/** Writes the default page, which a user can replace. */
function makeRoot(files: FolderFiles): void {
  let folder = ''
  for (const part of ROOT.split('/').slice(1)) {
    folder += `/${part}`
    if (!files.stat(folder)) files.mkdir(folder)
  }
  try {
    if (files.list(ROOT).length === 0) files.write(`${ROOT}/index.html`, WELCOME_PAGE)
  } catch (error) {
    // A read-only mount stays as it is.
    if (!(error instanceof FileError)) throw error
  }
}

async function answer(
  files: FolderFiles,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Outcome> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return fail(response, 405)
  const path = pathOf(request.url ?? '/')
  if (path === undefined) return fail(response, 400)
  try {
    const stat = files.stat(ROOT + path)
    if (stat?.kind === 'folder' && !path.endsWith('/')) {
      response.setHeader('location', `${encodeURI(path)}/`)
      return fail(response, 301)
    }
    const file = path.endsWith('/') ? `${path}index.html` : path
    const found = files.stat(ROOT + file)
    if (!found) return fail(response, stat && path.endsWith('/') ? 403 : 404)
    using open = files.open(ROOT + file)
    return await send(open, file, request, response)
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return fail(response, error.errno === 'ENOENT' || error.errno === 'ENOTDIR' ? 404 : 403)
  }
}

async function send(
  file: FolderFile,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Outcome> {
  const { size, modified } = file.stat()
  const tag = `"${Math.floor(modified / 1_000).toString(16)}-${size.toString(16)}"`
  const changed = new Date(Math.floor(modified / 1_000) * 1_000).toUTCString()
  response.setHeader('server', 'nginx')
  response.setHeader('last-modified', changed)
  response.setHeader('etag', tag)
  response.setHeader('accept-ranges', 'bytes')
  if (request.headers['if-none-match'] === tag || request.headers['if-modified-since'] === changed) {
    response.writeHead(304).end()
    return { status: 304, sent: 0 }
  }
  const range = byteRange(request.headers.range, size)
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${size}`)
    return fail(response, 416)
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  response.setHeader('content-type', contentType(path))
  response.setHeader('content-length', end - start + 1)
  if (range) response.setHeader('content-range', `bytes ${start}-${end}/${size}`)
  response.writeHead(range ? 206 : 200)
  const sent = request.method === 'HEAD' ? 0 : await copy(file, start, end, response)
  response.end()
  return { status: range ? 206 : 200, sent }
}

/** Sends a file piece by piece, no faster than the client reads. */
async function copy(file: FolderFile, start: number, end: number, response: ServerResponse): Promise<number> {
  file.seek(start)
  const gone = new Promise<void>((resolve) => response.once('close', () => resolve()))
  let left = end - start + 1
  while (left > 0 && !response.destroyed) {
    const bytes = file.read(left)
    // The file became shorter meanwhile: the announced length can no longer be sent.
    if (bytes.length === 0) {
      response.destroy()
      break
    }
    left -= bytes.length
    if (!response.write(bytes)) await Promise.race([once(response, 'drain'), gone])
  }
  return end - start + 1 - left
}

function fail(response: ServerResponse, status: number): Outcome {
  const body = errorPage(status, REASONS[status] ?? '')
  response.setHeader('server', 'nginx')
  response.writeHead(status, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(body) })
  response.end(response.req.method === 'HEAD' ? undefined : body)
  return { status, sent: Buffer.byteLength(body) }
}

/** The path without its query, `.` and `..`; `undefined` for an invalid one. */
function pathOf(url: string): string | undefined {
  const [raw = ''] = url.split(/[?#]/, 1)
  let decoded: string
  try {
    decoded = decodeURIComponent(raw)
  } catch {
    return undefined
  }
  if (!decoded.startsWith('/') || decoded.includes('\0')) return undefined
  const parts: string[] = []
  for (const part of decoded.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  const folder = /\/\.{0,2}$/.test(decoded)
  return parts.length === 0 ? '/' : `/${parts.join('/')}${folder ? '/' : ''}`
}

/** A line as the server's usual format has it. Whatever a client sends stays on one line. */
function log(container: Container, request: IncomingMessage, { status, sent }: Outcome): void {
  const date = new Date(container.clock.now())
  const day = `${String(date.getUTCDate()).padStart(2, '0')}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}`
  const moment = `${day}:${timestamp(container.clock.now()).slice(11, 19)} +0000`
  const line = `${request.method} ${request.url} HTTP/${request.httpVersion}`
  const referrer = escaped(request.headers.referer ?? '-')
  const agent = escaped(request.headers['user-agent'] ?? '-')
  const forwarded = escaped(String(request.headers['x-forwarded-for'] ?? '-'))
  const peer = request.socket.remoteAddress ?? '-'
  container.stdout.write(
    `${peer} - - [${moment}] "${escaped(line)}" ${status} ${sent} "${referrer}" "${agent}" "${forwarded}"\n`,
  )
}

function escaped(text: string): string {
  return text.replace(
    // oxlint-disable-next-line no-control-regex
    /["\\\u0000-\u001f\u007f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

function time(container: Container): string {
  return timestamp(container.clock.now()).slice(0, 19).replaceAll('-', '/').replace('T', ' ')
}
