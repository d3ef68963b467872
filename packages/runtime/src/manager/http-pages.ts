import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HomeostatError, type Clock } from '@homeostat/api'
import type { Logger } from '../telemetry/logger.ts'
import type { Page, PageAnswer, PageOptions } from './page.ts'

/** Pages that are open on a port. */
export interface OpenPages extends AsyncDisposable {
  /** Where they stand, without a slash at the end. */
  readonly origin: string
}

const TEXT = 'text/plain; charset=utf-8'

/**
 * Serves pages, each at its path and below it. Rejects with a `HomeostatError` with code `PAGE_PORT` when
 * the port cannot be had.
 */
export async function openPages(
  pages: ReadonlyMap<string, Page>,
  options: PageOptions,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<OpenPages> {
  const host = options.host ?? '127.0.0.1'
  const paths = [...pages.keys()].join(', ')

  async function answer(method: string | undefined, target: string): Promise<PageAnswer> {
    const url = new URL(target, 'http://page')
    const path = [...pages.keys()].find((page) => `${url.pathname}/`.startsWith(`${page}/`))
    const page = path === undefined ? undefined : pages.get(path)
    if (path === undefined || !page) return { status: 404, body: `Here is ${paths}.\n` }
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, body: 'This can only be read.\n' }
    try {
      return await page({ below: url.pathname.slice(path.length + 1), query: url.searchParams })
    } catch (error) {
      logger.error({ error, path }, 'a page could not be made')
      return { status: 500, body: 'The page could not be made: the log says why.\n' }
    }
  }

  const server = createServer((request, response) => {
    void answer(request.method, request.url ?? '/').then(({ status, type = TEXT, body }) =>
      response
        .writeHead(status, { 'content-type': type, ...(status === 405 && { allow: 'GET, HEAD' }) })
        .end(body),
    )
  })
  using _ = clock.busy(`opening ${paths}`)
  await listen(server, options.port, host, paths)
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    async [Symbol.asyncDispose]() {
      using _ = clock.busy(`closing ${paths}`)
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function listen(server: Server, port: number, host: string, paths: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? 'another process uses it. Stop that, or give the options metrics and health another port'
          : `${cause.message}. Give the options metrics and health another port or host`
      reject(
        new HomeostatError('PAGE_PORT', `${paths} cannot be opened on ${host}:${port}: ${why}.`, { cause }),
      )
    })
    server.listen(port, host, resolve)
  })
}
