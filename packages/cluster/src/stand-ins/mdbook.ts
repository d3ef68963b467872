import type { ServerResponse } from 'node:http'
import { HomeostatError } from '@homeostat/api'
import { readBook, readInside, type Book } from './book.ts'
import { bookPage, CONTENT_SECURITY_POLICY, VERSION_PATH } from './book-page.ts'
import { mountedPath, type Container } from '../images/index.ts'
import { serveHttp } from './http-server.ts'

const DEFAULT_PORT = 3000
/** The folder of the book, unless an argument names another. */
const DEFAULT_FOLDER = '/book'

const ASSET_TYPES: Readonly<Record<string, string>> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webp: 'image/webp',
}

/**
 * Serves a folder of Markdown as web pages, as `mdbook serve` does: it reads the files on each
 * request, and open pages follow an edit. Whatever host name is asked for, it listens on the Pod's own
 * address only.
 */
export async function mdbook(container: Container): Promise<number> {
  const options = parse([...container.command.slice(1), ...container.args])
  const root = options.folder ?? container.workingDirectory ?? DEFAULT_FOLDER
  const folder = mountedPath(container.mounts, `${root.replace(/\/$/, '')}/src`)
  await serveHttp(
    container,
    options.port,
    (request, response) => answer(folder, request.method ?? 'GET', request.url ?? '/', response),
    (address, port) => container.stdout.write(`Serving ${root} on http://${address}:${port}\n`),
  )
  return 0
}

async function answer(
  folder: string | undefined,
  method: string,
  url: string,
  response: ServerResponse,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    send(response, 405, 'text/plain; charset=utf-8', 'Only GET and HEAD.\n')
    return
  }
  const path = decode(url)
  const book = await readBook(folder ?? '/nonexistent')
  if (path === VERSION_PATH) {
    send(response, 200, 'text/plain; charset=utf-8', book.version)
    return
  }
  const file = path === undefined ? undefined : path.slice(1)
  if (path === '/' || file === 'index.html') {
    send(response, 200, 'text/html; charset=utf-8', bookPage(book, firstPage(book)))
    return
  }
  const page = file?.replace(/\.html$/, '.md')
  if (page !== undefined && book.pages.has(page)) {
    send(response, 200, 'text/html; charset=utf-8', bookPage(book, page))
    return
  }
  const ending = file?.slice(file.lastIndexOf('.') + 1).toLowerCase() ?? ''
  const type = Object.hasOwn(ASSET_TYPES, ending) ? ASSET_TYPES[ending] : undefined
  const asset =
    type && folder && book.assets.includes(file ?? '') ? await readInside(folder, file ?? '') : undefined
  if (type && asset) send(response, 200, type, asset)
  else send(response, 404, 'text/plain; charset=utf-8', 'There is no such page in this book.\n')
}

function firstPage(book: Book): string | undefined {
  return book.pages.has('index.md') ? 'index.md' : book.chapters[0]?.file
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
  })
  response.end(body)
}

function decode(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '/')
  } catch {
    return undefined
  }
}

/** The options of `mdbook serve` that have an effect; others are ignored together with their values. */
function parse(argv: readonly string[]): { port: number; folder?: string | undefined } {
  let port = DEFAULT_PORT
  let folder: string | undefined
  const words = argv.flatMap((word) => (/^--[^=]+=/.test(word) ? word.split(/=(.*)/s, 2) : [word]))
  if (words[0] !== undefined && words[0] !== 'serve') {
    throw new HomeostatError('MDBOOK_COMMAND', `mdbook ${words[0]} is not supported: only mdbook serve is`)
  }
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '-p' || word === '--port') {
      port = Number(words[++i])
      if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        throw new HomeostatError(
          'MDBOOK_PORT',
          `mdbook --port ${words[i]} is not a port: give a number from 1 to 65535`,
        )
      }
    } else if (['-n', '--hostname', '-d', '--dest-dir', '--watcher'].includes(word)) i++
    else if (!word.startsWith('-')) folder = word
  }
  return { port, folder }
}
