import { createServer } from 'node:net'
import type { Container, ImageMap } from '@homeostat/cluster'

/** Stands for a database where a test is about something else: it only greets each client that connects. */
async function greeter(container: Container): Promise<void> {
  const server = createServer((socket) => socket.on('error', () => {}).end('hello\n'))
  {
    using _ = container.clock.busy('the database starts to listen')
    await new Promise<void>((done) => server.listen(container.port(3306), container.address, done))
  }
  if (!container.signal.aborted) {
    await new Promise((done) => container.signal.addEventListener('abort', done, { once: true }))
  }
  server.close()
}

/** The databases of the examples, without a database. */
export const databaseImages: ImageMap = { mariadb: { module: greeter }, mysql: { module: greeter } }
