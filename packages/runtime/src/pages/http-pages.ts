import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HomeostatError, type Clock } from '@homeostat/api'
import type { Logger, MetricsRegistry } from '../telemetry/index.ts'
import type { Page, PageAnswer, PageOptions, PageRequest } from './page.ts'

/** Pages that are open on a port. */
export interface OpenPages extends AsyncDisposable {
  /** Their address, without a slash at the end. */
  readonly origin: string
}

export type { RequestListener } from 'node:http'

const TEXT = 'text/plain; charset=utf-8'

/**
 * Serves pages, each at its path and below it. Rejects with a `HomeostatError`: with code `PAGE_PORT` when the port
 * cannot be opened, `PAGE_CERTIFICATE` when the certificate cannot be used.
 */
export async function openPages(
  pages: ReadonlyMap<string, Page>,
  options: PageOptions & { readonly port: number },
  shared: { clock: Clock; logger: Logger; metrics: MetricsRegistry },
): Promise<OpenPages> {
  const { logger } = shared
  const paths = [...pages.keys()].join(', ')

  async function answer(
    method: string | undefined,
    target: string,
    rest: Pick<PageRequest, 'authorization' | 'signal'>,
  ): Promise<PageAnswer> {
    const url = URL.parse(target, 'http://page')
    const path = [...pages.keys()].find((page) => `${url?.pathname}/`.startsWith(`${page}/`))
    const page = path === undefined ? undefined : pages.get(path)
    if (!url || path === undefined || !page)
      return { status: 404, body: `Not found. This port serves ${paths}.\n` }
    if (method !== 'GET' && method !== 'HEAD') {
      return { status: 405, headers: { allow: 'GET, HEAD' }, body: 'Only GET and HEAD are allowed.\n' }
    }
    try {
      const below = url.pathname.slice(path.length + 1)
      return await page({ ...rest, method, path: url.pathname, below, query: url.searchParams })
    } catch (error) {
      logger.error({ error, path }, 'a page failed')
      return { status: 500, body: 'The page failed: the log says why.\n' }
    }
  }

  const listener: RequestListener = (request, response) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const { authorization } = request.headers
    void answer(request.method, request.url ?? '/', { authorization, signal: gone.signal }).then(
      ({ status, type = TEXT, headers, body }) =>
        response.writeHead(status, { 'content-type': type, ...headers }).end(body),
    )
  }
  return openPort(listener, options, { ...shared, what: paths })
}

/** Opens a port, which answers with the listener. Rejects as {@link openPages} does; `what` names it in errors. */
export async function openPort(
  listener: RequestListener,
  options: PageOptions & { readonly port: number },
  { what, ...shared }: { clock: Clock; logger: Logger; metrics: MetricsRegistry; what: string },
): Promise<OpenPages> {
  const { clock } = shared
  const host = options.host ?? '127.0.0.1'
  using _ = clock.busy(`opening ${what}`)
  const { server, close } = await createServer(listener, options, shared)
  try {
    await listen(server, options.port, host, what)
  } catch (error) {
    close()
    throw error
  }
  const { port } = server.address() as AddressInfo
  const scheme = options.tls ? 'https' : 'http'
  return {
    origin: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async [Symbol.asyncDispose]() {
      using _ = clock.busy(`closing ${what}`)
      close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** An HTTP server, or an HTTPS server with a certificate that is renewed; `close` stops the renewal. */
async function createServer(
  listener: RequestListener,
  { tls }: PageOptions,
  shared: { clock: Clock; logger: Logger; metrics: MetricsRegistry },
): Promise<{ server: Server; close: () => void }> {
  // Loaded only when it is used.
  if (!tls) {
    const http = await import('node:http')
    return { server: http.createServer(listener), close: () => {} }
  }
  const [https, { CertificateFiles }] = await Promise.all([
    import('node:https'),
    import('./certificate-files.ts'),
  ])
  const files = new CertificateFiles(tls, shared)
  const pair = await files.start((renewed) => server.setSecureContext(renewed))
  const server = https.createServer({ ...pair, minVersion: 'TLSv1.2' }, listener)
  return { server, close: () => files[Symbol.dispose]() }
}

function listen(server: Server, port: number, host: string, paths: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? 'another process uses it. Stop that, or give the page another port'
          : `${cause.message}. Give the page another port or host`
      reject(
        new HomeostatError('PAGE_PORT', `${paths} cannot be opened on ${host}:${port}: ${why}.`, { cause }),
      )
    })
    server.listen(port, host, resolve)
  })
}
