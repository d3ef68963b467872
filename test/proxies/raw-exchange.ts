import { request, type RequestOptions } from 'node:https'
import type { ReachableServer } from './reachable-server.ts'

/** A request as it is sent. */
export interface RawRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

/** A server's answer. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Sends a request to a server as its administrator, with nothing changed on the way. */
export function exchange(
  server: ReachableServer,
  { method, path, headers, body }: RawRequest,
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const sent = request(
    {
      ...addressOf(server),
      method: method ?? 'GET',
      path,
      headers: { authorization: `Bearer ${server.token}`, ...headers },
    },
    (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
      )
    },
  )
  sent.on('error', reject)
  sent.end(body)
  return promise
}

/** Asks to change the protocol, sends `and bye`, and reads until it has come back or the answer ends. */
export function converse(
  server: ReachableServer,
  { path, headers }: { readonly path: string; readonly headers: Readonly<Record<string, string>> },
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const sent = request({
    ...addressOf(server),
    path,
    headers: { authorization: `Bearer ${server.token}`, connection: 'Upgrade', ...headers },
  })
  const chunks: Buffer[] = []
  sent.on('error', reject)
  sent.on('response', (incoming) => {
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', reject)
    incoming.on('end', () =>
      resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) }),
    )
  })
  sent.on('upgrade', (incoming, socket, head) => {
    chunks.push(head)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (Buffer.concat(chunks).includes('bye')) socket.destroy()
    })
    socket.on('close', () => resolve({ status: 101, headers: incoming.headers, body: Buffer.concat(chunks) }))
    socket.write('and bye')
  })
  sent.end()
  return promise
}

/** Creates an object. Throws if the server refuses it. */
export async function create(server: ReachableServer, path: string, object: object): Promise<void> {
  await write(server, 'POST', path, object, 'application/json')
}

/** Changes an object by a merge patch. Throws if the server refuses it. */
export async function patch(server: ReachableServer, path: string, object: object): Promise<void> {
  await write(server, 'PATCH', path, object, 'application/merge-patch+json')
}

async function write(
  server: ReachableServer,
  method: string,
  path: string,
  object: object,
  contentType: string,
): Promise<void> {
  const headers = { 'content-type': contentType }
  const { status, body } = await exchange(server, { method, path, headers, body: JSON.stringify(object) })
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${body.toString()}`)
}

/** Where a server listens, for `node:https`. */
function addressOf({ url, certificateAuthority: ca }: ReachableServer): RequestOptions {
  const { hostname, port } = new URL(url)
  return { hostname, port, ca, agent: false }
}
