import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** Stands between a client and a server on TCP, and does to their connections what networks do. */
export class TcpProxy implements AsyncDisposable {
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  readonly #server = createServer({ pauseOnConnect: true })
  #refusing = false
  #freezing = false

  private constructor(port: number) {
    this.#server.on('connection', (near) => {
      if (this.#refusing) {
        near.destroy()
        return
      }
      const far = connect(port, '127.0.0.1')
      const pair = [near, far] as const
      this.#pairs.add(pair)
      for (const [one, other] of [pair, [far, near]] as const) {
        one.on('error', () => {})
        one.on('close', () => {
          this.#pairs.delete(pair)
          // The peer of a connection that hangs learns nothing.
          if (!this.#hung.has(pair)) other.destroy()
        })
      }
      if (this.#freezing) {
        this.#hung.add(pair)
        return
      }
      near.pipe(far)
      far.pipe(near)
    })
  }

  readonly #hung = new WeakSet<readonly [Socket, Socket]>()

  /** Opens a port of its own that leads to the server's. */
  static async open(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port)
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Open connections stay open, but transfer nothing any more; new connections work. */
  hang(): void {
    for (const pair of this.#pairs) {
      this.#hung.add(pair)
      for (const socket of pair) socket.unpipe().pause()
    }
  }

  /** A partition: nothing comes through on what is open, nor on what is opened. */
  partition(): void {
    this.hang()
    this.#freezing = true
  }

  /** Breaks everything off, and refuses what comes until {@link restore}. */
  cut(): void {
    this.#refusing = true
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
  }

  /** New connections work again. */
  restore(): void {
    this.#refusing = false
    this.#freezing = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
    await closed
  }
}
