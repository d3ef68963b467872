/**
 * Transports, which carry requests to an API server and return its answers: the interface, a transport that calls a
 * server within the process, and wrappers that count and trace. `connection/` has the one over the network.
 */
export { BodyStream } from './body-stream.ts'
export { countedTransport } from './counted-transport.ts'
export { directTransport, type DirectTransportOptions } from './direct-transport.ts'
export { GrowingBytes } from './growing-bytes.ts'
export { isEndless } from './is-endless.ts'
export { linkSignals } from './link-signals.ts'
export { readBody, readErrorBody } from './read-body.ts'
export { ServerMemory, type AppliedDocument } from './server-memory.ts'
export { tracedTransport } from './traced-transport.ts'
export { isTransportError, TransportError, type TransportErrorCode } from './transport-error.ts'
export type { Transport } from './transport.ts'
export { wrapTransport } from './wrap-transport.ts'
