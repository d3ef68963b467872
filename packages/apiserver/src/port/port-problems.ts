import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { HomeostatError } from '@homeostat/api'
import { errorCode } from '../work/index.ts'

/** Errors of the HTTP parser that a client's bytes cannot cause. */
const PARSER_FAULTS = /^HPE_(PAUSED|INTERNAL|USER|CB_)/
/** Errors of a connection that has ended. */
const CLOSED = new Set([
  'CONNECTION_CLOSED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNABORTED',
])

/** Whether the parser failed by itself: then a valid request was lost. */
export function isParserFault({ code = '' }: NodeJS.ErrnoException): boolean {
  return PARSER_FAULTS.test(code)
}

/** Whether an error only says that the connection has ended. */
export function isClosed(error: unknown): boolean {
  return CLOSED.has(errorCode(error) ?? '')
}

/**
 * The error of a request whose connection is closed without an answer. It leaves out the query, which may contain
 * secrets.
 */
export function requestProblem({ method, url = '' }: IncomingMessage, cause: unknown): HomeostatError {
  const path = url.split('?', 1)[0]
  const why = cause instanceof Error ? cause.message : String(cause)
  return new HomeostatError('PORT_REQUEST_LOST', `${method} ${path} was cut off: ${why}`, { cause })
}

/**
 * Closes the connection of a request that cannot be read. The answer says why, unless another answer is being written
 * there.
 */
export function refuseUnreadable(
  { code = '' }: NodeJS.ErrnoException,
  socket: Duplex,
  isAnswering: boolean,
): void {
  if (socket.writable && !isClosed({ code }) && !isAnswering) {
    socket.write(`HTTP/1.1 ${ANSWERS.get(code) ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`)
  }
  socket.destroy()
}

const ANSWERS: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries<string | undefined>({
    HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
    HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
    ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  }),
)
