import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openTcpConnection } from './tcp-connection.ts'

let servers: Server[] = []
afterEach(() => {
  for (const server of servers) server.close()
  servers = []
})

async function listen(handle: (socket: Socket) => void): Promise<{ host: string; port: number }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    handle(socket)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('a connection', () => {
  it('carries bytes both ways, and the end of one way leaves the other open', async () => {
    const address = await listen((socket) => {
      let heard = ''
      socket.on('data', (data) => (heard += data.toString()))
      socket.on('end', () => socket.end(`heard ${heard}`))
    })
    const { readable, writable } = await openTcpConnection(address)
    const writer = writable.getWriter()
    await writer.write(bytes('one '))
    await writer.write(bytes('two'))
    await writer.close()
    expect(await new Response(readable).text()).toBe('heard one two')
  })

  it('reads no faster than its reader', async () => {
    let sent = 0
    const address = await listen((socket) => {
      const more = (): void => {
        do sent += 65_536
        while (socket.write(Buffer.alloc(65_536)) && sent < 256 * 1_024 * 1_024)
      }
      socket.on('drain', more)
      more()
    })
    const connection = await openTcpConnection(address)
    const reader = connection.readable.getReader()
    await reader.read()
    let before = -1
    const stands = (): boolean => {
      const same = sent === before
      before = sent
      return same
    }
    await expect.poll(stands).toBe(true)
    // The buffers of the system hold a few megabytes.
    expect(sent).toBeLessThan(64 * 1_024 * 1_024)
    connection.close()
  })

  it('fails both ways when it is cut off', async () => {
    const address = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()))
    const { readable, writable } = await openTcpConnection(address)
    const writer = writable.getWriter()
    await writer.write(bytes('x'))
    await expect(readable.getReader().read()).rejects.toThrow(/ECONNRESET|closed/)
    await expect(writer.closed).rejects.toThrow(/ECONNRESET|closed/)
  })

  it('ends at once when it is closed, however often', async () => {
    const ended = Promise.withResolvers<void>()
    const address = await listen((socket) => socket.resume().once('end', () => ended.resolve()))
    const connection = await openTcpConnection(address)
    connection.close()
    connection.close()
    await ended.promise
    await expect(connection.readable.getReader().read()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  })

  it('is refused where nothing listens', async () => {
    const address = await listen(() => undefined)
    await new Promise((resolve) => servers.pop()?.close(resolve))
    await expect(openTcpConnection(address)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' })
  })

  it('is not made when the signal has aborted', async () => {
    const address = await listen(() => undefined)
    const reason = new Error('no longer wanted')
    await expect(openTcpConnection(address, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
