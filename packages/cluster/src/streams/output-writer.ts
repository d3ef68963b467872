import type { OutputWriter } from '@homeostat/shell'

const encoder = new TextEncoder()

/**
 * Writes the output of a command into a stream, if there is one. It never fails: when the reader disconnects, the
 * command's signal aborts, and further output is discarded.
 */
export function outputWriter(
  stream: WritableStream<Uint8Array> | undefined,
): OutputWriter & { close(): Promise<void> } {
  if (!stream) return { write: () => undefined, close: () => Promise.resolve() }
  const writer = stream.getWriter()
  const lost = (): undefined => undefined
  return {
    write(text) {
      const bytes = typeof text === 'string' ? encoder.encode(text) : text
      if (bytes.length > 0) writer.write(bytes).catch(lost)
    },
    get ready() {
      return writer.ready.catch(lost)
    },
    close: () => writer.close().catch(lost),
  }
}
