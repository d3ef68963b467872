import type { StreamSession } from './stream-session.ts'
import type { Upgrade } from './accept-web-socket.ts'

/**
 * Joins a client's connection with one to another server. The client gets that server's answer first. Each side is
 * read no faster than the other one reads. Both end when either does.
 */
export async function serveTunnel(
  { lines, duplex, head }: Extract<StreamSession, { kind: 'tunnel' }>,
  { socket, head: sent, signal }: Upgrade,
): Promise<undefined> {
  const over = new Promise<void>((resolve) => {
    const end = (): void => resolve()
    // A side finishes when all that came from the other one is sent.
    for (const side of [socket, duplex]) side.once('finish', end).once('close', end).on('error', end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`)
  if (head.length > 0) socket.write(head)
  if (sent.length > 0) duplex.write(sent)
  socket.pipe(duplex)
  duplex.pipe(socket)
  await over
  socket.destroy()
  duplex.destroy()
  return undefined
}
