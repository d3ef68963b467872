import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'

interface Manifest {
  readonly name: string
  readonly version: string
}

/**
 * A package registry on loopback that serves packed packages as if they were published. For other packages it asks the registry that
 * npm uses otherwise.
 */
export class LocalRegistry implements AsyncDisposable {
  readonly #server = createServer((request, response) => void this.#answer(request, response))
  readonly #upstream: string
  readonly #tarballs: ReadonlyMap<string, string>
  readonly #packages = new Map<string, { readonly manifest: Manifest; readonly tarball: string }>()

  private constructor(tarballs: readonly string[], upstream: string) {
    this.#upstream = upstream.replace(/\/$/, '')
    this.#tarballs = new Map(tarballs.map((file) => [basename(file), file]))
    for (const tarball of tarballs) {
      const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })
      const manifest = JSON.parse(text) as Manifest
      this.#packages.set(manifest.name, { manifest, tarball })
    }
  }

  static async start(tarballs: readonly string[], upstream: string): Promise<LocalRegistry> {
    const registry = new LocalRegistry(tarballs, upstream)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    registry.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    await promise
    return registry
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((closed) => this.#server.close(closed))
  }

  async #answer({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const name = decodeURIComponent(url.slice(1))
      const tarball = this.#tarballs.get(basename(name))
      if (tarball !== undefined) response.end(readFileSync(tarball))
      else if (this.#packages.has(name)) response.end(JSON.stringify(this.#document(name)))
      else await this.#pass(url, headers.accept, response)
    } catch (error) {
      response.writeHead(502).end(String(error))
    }
  }

  /** A registry's document about a package. */
  #document(name: string): unknown {
    const { manifest, tarball } = this.#packages.get(name)!
    const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
    const dist = { tarball: `${this.url}/${basename(tarball)}`, integrity }
    const { version } = manifest
    return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
  }

  async #pass(url: string, accept: string | undefined, response: ServerResponse): Promise<void> {
    const answer = await fetch(`${this.#upstream}${url}`, { headers: accept === undefined ? {} : { accept } })
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
  }
}
