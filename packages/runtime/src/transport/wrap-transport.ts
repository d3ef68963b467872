import { ServerMemory } from './server-memory.ts'
import type { Transport } from './transport.ts'

/** The transport with another way to send. Closing it closes the one that it wraps. */
export function wrapTransport(transport: Transport, send: Transport['send']): Transport {
  const close = (): Promise<void> => transport.close()
  return {
    server: transport.server,
    inProcess: transport.inProcess,
    memory: transport.memory ?? new ServerMemory(),
    send,
    close,
    [Symbol.asyncDispose]: close,
  }
}
