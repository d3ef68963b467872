import type { OutputWriter } from '@homeostat/shell'

const encoder = new TextEncoder()

/**
 * What a command writes, on its way into a stream; nowhere where there is none. It never fails: when the reader is gone,
 * the command is told by its signal, and what it still writes is lost.
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
