import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@homeostat/api'
import { FolderFiles, type Mount } from '@homeostat/shell'
import type { Container, ContainerModule } from '../src/images/index.ts'

/** A container that runs a module by itself, without a kubelet, on a port that is free. */
export class ContainerBench implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), 'homeostat-container-'))
  readonly stop = new AbortController()
  output = ''
  /** Settles with the module. */
  running: Promise<number | void> = Promise.resolve()
  port = 0

  /** Starts a module, and resolves when it has printed something or ended. */
  async start(
    module: ContainerModule,
    overrides: Partial<Container> & { readonly containerMounts?: readonly Mount[] } = {},
  ): Promise<void> {
    this.port = await freePort()
    const said = Promise.withResolvers<void>()
    const writer = {
      write: (text: string | Uint8Array): void => {
        this.output += Buffer.from(text as Uint8Array).toString()
        said.resolve()
      },
    }
    const { containerMounts = [], ...rest } = overrides
    this.running = module({
      pod: { namespace: 'default', name: 'pod', uid: 'u' },
      name: 'main',
      command: [],
      args: [],
      env: {},
      mounts: Object.fromEntries(containerMounts.map(({ path, source }) => [path, source])),
      files: new FolderFiles({ root: this.root, mounts: containerMounts }),
      hostname: 'pod',
      connect: () => Promise.reject(new Error('there is no network here')),
      address: '127.0.0.1',
      port: () => this.port,
      signal: this.stop.signal,
      killed: this.stop.signal,
      stdout: writer,
      stderr: writer,
      clock: new SystemClock(),
      ...rest,
    })
    await Promise.race([said.promise, this.running])
  }

  fetch(path: string, init?: RequestInit): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, init)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort()
    await this.running
    rmSync(this.root, { recursive: true })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
