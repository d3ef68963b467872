import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '@homeostat/api'
import type { Client } from 'homeostat'
import type { Recorder } from '../recording/index.ts'
import type { OperatorCommand } from './actions.ts'
import { LocalAccess } from './local-access.ts'
import { PageHandler } from './page-handler.ts'

export interface PageServerOptions {
  readonly clock: Clock
  readonly recorder: Recorder
  /** Reads and writes what the page asks for. */
  readonly client: Client
  /** Carries out an action on the operator. Default: the page offers no actions. */
  readonly operator?: OperatorCommand | undefined
  /** Default: any that is free. */
  readonly port?: number | undefined
}

/** Serves the page on loopback. */
export class PageServer implements AsyncDisposable {
  readonly #server: Server
  readonly #handler: PageHandler
  readonly #access: LocalAccess
  readonly #port: number

  private constructor({ clock, recorder, client, operator }: PageServerOptions, server: Server) {
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
    this.#access = new LocalAccess({ port: this.#port, client })
    const source = { opened: () => recorder, closed: () => {} }
    this.#handler = new PageHandler({ clock, source, access: this.#access, operator })
    server.on('request', this.#handler.answer)
  }

  static async start(options: PageServerOptions): Promise<PageServer> {
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(options.port ?? 0, '127.0.0.1', resolve)
    })
    // The server alone does not keep the program running.
    server.unref()
    return new PageServer(options, server)
  }

  /** The address to open in a browser. It gives access to the page. */
  get address(): string {
    return this.#addressWith(this.#access.token)
  }

  /** An address that works once. */
  singleAddress(): string {
    return this.#addressWith(this.#access.singleToken())
  }

  #addressWith(token: string): string {
    return `http://127.0.0.1:${this.#port}/?token=${token}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#handler[Symbol.dispose]()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }
}
