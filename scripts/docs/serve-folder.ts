import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

/** A folder on a port of loopback, until it is disposed of. */
export interface ServedFolder extends AsyncDisposable {
  readonly url: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Serves the files of a site. An address without an ending is a page, as static hosts have it. */
export async function serveFolder(folder: string, port: number): Promise<ServedFolder> {
  const server = createServer((request, response) => {
    const path = pathOf(request.url ?? '/')
    const file = path === undefined ? undefined : fileIn(folder, path)
    const sent = file ?? join(folder, '404.html')
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': TYPES[extname(sent)] ?? 'application/octet-stream',
    })
    if (request.method === 'HEAD') response.end()
    else
      createReadStream(sent)
        .on('error', () => response.destroy())
        .pipe(response)
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject).listen(port, '127.0.0.1', resolve)
  await promise
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.close(() => closed.resolve())
      server.closeAllConnections()
      await closed.promise
    },
  }
}

/** The path of a request, or nothing for one that cannot be decoded. */
function pathOf(url: string): string | undefined {
  try {
    return normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname))
  } catch {
    return undefined
  }
}

function fileIn(folder: string, path: string): string | undefined {
  const file = join(folder, path)
  const candidates = path.endsWith('/')
    ? [join(file, 'index.html')]
    : [file, `${file}.html`, join(file, 'index.html')]
  return candidates.find((each) => statSync(each, { throwIfNoEntry: false })?.isFile())
}
