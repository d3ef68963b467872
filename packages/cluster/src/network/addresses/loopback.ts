import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'

/** Claims a block: the cluster that listens here has it. No well-known program listens on this port of all addresses. */
const CLAIM_PORT = 19_250
const BLOCKS = 254

/**
 * The loopback addresses of one cluster: a block 127.n.0.0/16 that no other cluster of this machine
 * uses. Where the system has only 127.0.0.1 (macOS, unless configured), `wide` is false, and all Pods and Services
 * share that address with different ports.
 */
export class Loopback implements AsyncDisposable {
  readonly wide: boolean
  readonly #block: number
  readonly #claim: Server | undefined

  private constructor(block: number, claim: Server | undefined) {
    this.wide = claim !== undefined
    this.#block = block
    this.#claim = claim
  }

  /** Claims a free block. `wide: false` claims none, as on a system that has only one address. */
  static async claim(options: { wide?: boolean | undefined } = {}): Promise<Loopback> {
    if (options.wide === false) return new Loopback(0, undefined)
    for (let step = 0; step < BLOCKS; step++) {
      const block = 1 + ((process.pid + step) % BLOCKS)
      const claim = await tryListen(`127.${block}.0.1`, CLAIM_PORT)
      if (claim === 'unavailable') break
      if (claim !== 'taken') return new Loopback(block, claim)
    }
    return new Loopback(0, undefined)
  }

  /** The loopback address with these last two numbers; 127.0.0.1 where the system has only that address. */
  address(third: number, fourth: number): string {
    return this.wide ? `127.${this.#block}.${third}.${fourth}` : '127.0.0.1'
  }

  /** Whether the address is one of the cluster's. */
  has(address: string): boolean {
    return this.wide && address.startsWith(`127.${this.#block}.`)
  }

  /** Whether a listener can have exactly this port on its own address. */
  canListen(port: number): boolean {
    return this.wide && port >= firstPort()
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#claim) this.#claim.close(() => resolve())
      else resolve()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** The lowest port on which this user may listen: on Linux, the administrator can change it. */
function firstPort(): number {
  if (process.getuid?.() === 0) return 0
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'))
  } catch {
    return 1024
  }
}

function tryListen(host: string, port: number): Promise<Server | 'taken' | 'unavailable'> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRINUSE' ? 'taken' : 'unavailable')
    })
    server.listen({ host, port, exclusive: true }, () => resolve(server))
  })
}

/**
 * The port that a listener on the address can have: the wanted port, or another free one if the wanted port
 * is taken, is not allowed, or all listeners share one address. The port is free at this moment, but not
 * reserved.
 */
export async function usablePort(loopback: Loopback, host: string, wanted: number): Promise<number> {
  if (loopback.canListen(wanted)) {
    const found = await tryListen(host, wanted)
    if (typeof found === 'object') return released(found)
  }
  const found = await tryListen(host, 0)
  return typeof found === 'object' ? released(found) : wanted
}

function released(server: Server): Promise<number> {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return new Promise((resolve) => server.close(() => resolve(port)))
}
