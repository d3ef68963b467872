import type http from 'node:http'
import { JoinedChunks } from './joined-chunks.ts'
import { nodeModules } from '../process/index.ts'
import type { Outgoing, RequestTaker } from './outgoing.ts'

/** Sends a request with Node's HTTP client on a connection of the pool. */
export function pooledRequest(
  outgoing: http.ClientRequest,
  body: Uint8Array | undefined,
  taker: RequestTaker,
): Outgoing {
  outgoing.on('socket', (socket) => taker.connecting(socket))
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    taker.failed(error, outgoing.reusedSocket && isReset(error))
  })
  outgoing.on('response', (incoming) => {
    incoming.on('error', () => {}) // the reader of the chunks gets the error
    taker.answer({
      status: incoming.statusCode ?? 0,
      headers: headersOf(incoming),
      chunks: chunksOf(incoming),
      isComplete: () => incoming.complete,
    })
  })
  outgoing.end(body)
  return outgoing
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

function chunksOf(incoming: http.IncomingMessage): JoinedChunks {
  if (incoming.headers['content-encoding'] !== 'gzip') return JoinedChunks.of(incoming)
  // A body that is cut off reaches the reader as an error of the decompressed stream.
  return JoinedChunks.of(nodeModules.stream.pipeline(incoming, nodeModules.zlib.createGunzip(), () => {}))
}

function headersOf(incoming: http.IncomingMessage): Record<string, string> {
  const entries = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  const headers = Object.fromEntries(entries)
  if (headers['content-encoding'] === 'gzip') {
    delete headers['content-encoding']
    delete headers['content-length']
  }
  return headers
}
