import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Container } from '../images/index.ts'

/** Answers one request. An error that it throws is answered with a 500, and logged. */
type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/** Serves HTTP on a port of the container, at the Pod's own address, until the container must stop. */
export async function serveHttp(
  container: Container,
  containerPort: number,
  answer: Answer,
  onListen: (address: string, port: number) => void = () => undefined,
): Promise<void> {
  // An import would bring along Node's own `fetch` and all of its parts, also where no container serves anything.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer((request, response) => {
    Promise.resolve()
      .then(() => answer(request, response))
      .catch((error: unknown) => {
        container.stderr.write(`${request.url}: ${error instanceof Error ? error.message : String(error)}\n`)
        if (response.headersSent) response.destroy()
        else response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal Server Error\n')
      })
  })
  const port = container.port(containerPort)
  {
    using _ = container.clock.busy(`${container.name} starts to listen`)
    await listen(server, port, container.address)
  }
  onListen(container.address, port)
  await closed(server, container.signal)
}

function listen(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Server, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    function stop(): void {
      server.close(() => resolve())
      server.closeAllConnections()
    }
    server.once('error', reject)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
