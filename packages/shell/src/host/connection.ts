/**
 * Two ways of bytes between two parties: what a TCP connection is, without a socket in its type.
 *
 * The end of `readable` says that the other side sends no more; closing `writable` says so to the other side, and the
 * way back stays open (half-close). An abrupt end fails both streams.
 */
export interface Connection {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
  /** Ends both directions at once, also with data under way; may be called again. */
  close(): void
}
