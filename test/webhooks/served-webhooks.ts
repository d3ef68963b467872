import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Manager, silentLogger, type Transport, type Webhook } from 'homeostat'
import { expect, vi } from 'vitest'
import { CertificateAuthority } from '../../packages/apiserver/src/certificates/certificates.ts'

/** Webhooks that a manager serves over HTTPS on this machine, for a server elsewhere. */
export interface ServedWebhooks extends AsyncDisposable {
  /** Where an API server reaches them. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string }
}

/** Starts a manager that serves webhooks, with a certificate from files. */
export async function serveWebhooks(
  webhooks: readonly Webhook[],
  transport: Transport,
): Promise<ServedWebhooks> {
  const folder = await mkdtemp(join(tmpdir(), 'homeostat-webhooks-'))
  const authority = await CertificateAuthority.create()
  const { certificate, key } = await authority.forServer('127.0.0.1')
  const tls = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  await writeFile(tls.certFile, certificate)
  await writeFile(tls.keyFile, key)
  const stop = new AbortController()
  const manager = new Manager({ transport, logger: silentLogger })
  manager.addWebhooks(webhooks, { port: 0, host: '127.0.0.1', tls })
  const running = manager.start({ signal: stop.signal })
  const opened = vi.waitFor(() => expect(manager.webhooksUrl).toBeDefined(), { timeout: 20_000 })
  await Promise.race([opened, running])
  const caBundle = Buffer.from(authority.certificate).toString('base64')
  return {
    clientConfig: { url: manager.webhooksUrl!, caBundle },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
      await rm(folder, { recursive: true })
    },
  }
}
