import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { ApiServer, type PodConnection } from '@homeostat/apiserver'
import { startControlPlane } from '../kubernetes/control-plane.ts'

/** The address that tests give to Pods, nodes and endpoints. Both servers reach this machine's loopback interface by it. */
export const REACHABLE = '10.244.9.9'

/** A server, ours or a real one, for which {@link REACHABLE} is this machine. */
export interface ReachableServer extends AsyncDisposable {
  readonly name: 'ours' | 'kubernetes'
  readonly url: string
  readonly token: string
  readonly certificateAuthority: string
}

/** Starts the server of the project that runs: `ours`, or `kubernetes`. */
export async function startReachableServer(flags: readonly string[] = []): Promise<ReachableServer> {
  return process.env.HOMEOSTAT_TEST_SERVER === 'kubernetes' ? kubernetes(flags) : ours()
}

async function ours(): Promise<ReachableServer> {
  const server = await ApiServer.start({ connect: (address, port) => connectTo(loopback(address), port) })
  const { url, token, certificateAuthority } = await server.listen()
  return { name: 'ours', url, token, certificateAuthority, [Symbol.asyncDispose]: () => server.close() }
}

async function kubernetes(serverFlags: readonly string[]): Promise<ReachableServer> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-egress-'))
  const egressSocket = join(folder, 'socket')
  const sockets = new Set<Socket>()
  const egress = createServer().on('connect', ({ url = '' }, client: Socket, head: Buffer) => {
    const [host = '', port = ''] = url.split(':')
    const target = connect(Number(port), loopback(host))
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) target.write(head)
      client.pipe(target).pipe(client)
    })
    target.on('error', () => client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n'))
    client.on('error', () => target.destroy())
    client.on('close', () => target.destroy())
  })
  await new Promise<void>((resolve) => egress.listen(egressSocket, resolve))
  const plane = await startControlPlane({ egressSocket, serverFlags })
  await plane.settled()
  const { url, token, certificateAuthority } = plane
  const close = async (): Promise<void> => {
    await plane.stop()
    for (const socket of sockets) socket.destroy()
    egress.close()
    rmSync(folder, { recursive: true })
  }
  return { name: 'kubernetes', url, token, certificateAuthority, [Symbol.asyncDispose]: close }
}

function loopback(address: string): string {
  return address.startsWith('10.') ? '127.0.0.1' : address
}

function connectTo(host: string, port: number): Promise<PodConnection> {
  const { promise, resolve, reject } = Promise.withResolvers<PodConnection>()
  const socket = connect(port, host)
  socket.once('error', reject)
  socket.once('connect', () => {
    const { readable, writable } = Duplex.toWeb(socket) as Pick<PodConnection, 'readable' | 'writable'>
    resolve({ readable, writable, close: () => void socket.destroy() })
  })
  return promise
}
