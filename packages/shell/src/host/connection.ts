/**
 * Bytes in both directions between two parties: a TCP connection, without a socket in its type.
 *
 * The end of `readable` says that the other side sends no more; closing `writable` says so to the other side, and
 * the other direction stays open (half-close). An abrupt end fails both streams.
 */
export interface Connection {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
  /** Ends both directions at once, even if data is in transit. It may be called again. */
  close(): void
}
