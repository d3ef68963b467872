/** SPDY/3.1 as Kubernetes' clients speak it: several streams over one connection, each opened by the client. */
export { SpdyConnection, type SpdyStream } from './spdy-connection.ts'
export { SpdyError } from './spdy-error.ts'
