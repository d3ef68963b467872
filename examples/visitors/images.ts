/** The programs for the site's images on the local cluster, where nothing is pulled: two small web servers. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Container, ImageMap } from '@homeostat/cluster'

export const visitorsImages: ImageMap = {
  'jdob/visitors-service': { module: backend },
  'jdob/visitors-webui': { module: frontend },
}

/** Counts visits. Without a database that greets it, it cannot. */
async function backend(container: Container): Promise<void> {
  let visits = 0
  await serve(container, 8000, async () => {
    const database = await container.connect(container.env['MYSQL_SERVICE_HOST'] ?? '', 3306)
    const { value: greeting } = await database.readable.getReader().read()
    database.close()
    if (!greeting) throw new Error('the database said nothing')
    return String(++visits)
  })
}

/** Shows the count under the title of the site. */
async function frontend(container: Container): Promise<void> {
  const title = container.env['REACT_APP_TITLE']?.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  await serve(container, 3000, async () => {
    const backend = await container.connect(container.env['BACKEND_SERVICE_HOST'] ?? '', 8000)
    await backend.writable.getWriter().write(Buffer.from('GET / HTTP/1.0\r\n\r\n'))
    const [head, visits] = (await text(backend.readable)).split('\r\n\r\n')
    backend.close()
    if (!head?.includes(' 200 ')) throw new Error('the back end did not answer')
    return `<!doctype html><title>Visitors</title><h1>${title}</h1><p>Visits: ${visits}</p>`
  })
}

/** Serves one page until the container must stop; what fails is answered with 503 and stands in the log. */
async function serve(container: Container, port: number, page: () => Promise<string>): Promise<void> {
  const server = createServer((_, response) => {
    page().then(
      (body) => response.end(body),
      (error: unknown) => {
        container.stderr.write(`${String(error)}\n`)
        response.writeHead(503).end()
      },
    )
  })
  {
    using _ = container.clock.busy(`${container.name} starts to listen`)
    server.listen(container.port(port), container.address)
    await once(server, 'listening')
  }
  container.stdout.write(`listening on port ${port}\n`)
  if (!container.signal.aborted) await once(container.signal, 'abort')
  server.closeAllConnections()
  server.close()
}
